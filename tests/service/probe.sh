# Runs inside the container: is the service ready, is it started again when it is killed and when it hangs, does it stop?
fairtray=/opt/fairtray/venv/bin/fairtray
say() { echo "probe: $*"; }
leave() { say "$*"; journalctl -u fairtray --no-pager -o cat | tail -20; systemctl poweroff --force; exit 1; }
shown() { systemctl show fairtray --property="$1" --value; }
main() { shown MainPID; }
ready() {  # within the seconds given, by the service and by the appliance itself
  for _ in $(seq "$1"); do
    [ "$(shown ActiveState)" = active ] && $fairtray status --json | grep -q '"ready": true' && return 0
    sleep 1
  done
  return 1
}

systemd-analyze verify /etc/systemd/system/fairtray.service || leave "the unit has faults"
ready 120 || leave "not ready"
say "ready: $($fairtray status --json | cut -c1-150)"
before=$(main)
kill -KILL "$before"
ready 120 || leave "not ready after a kill"
[ "$(main)" != "$before" ] || leave "still the same process after a kill"
say "killed and started again, restarts: $(shown NRestarts)"
before=$(main)
kill -STOP "$before"
for _ in $(seq 60); do [ "$(main)" != "$before" ] && break; sleep 1; done
ready 120 || leave "not ready after it hung"
journalctl -u fairtray --no-pager -o cat | grep -q "Watchdog timeout" || leave "the watchdog did not bite"
say "hung, ended by the watchdog and started again, restarts: $(shown NRestarts)"
begun=$(date +%s%N)
systemctl stop fairtray
say "stopped in $((($(date +%s%N) - begun) / 1000000)) ms, result: $(shown Result)"
[ "$(shown Result)" = success ] || leave "not stopped cleanly"
for match in /var/lib/fairtray/matches/*; do
  $fairtray match verify "$match" || leave "$match was damaged"
done
say "all well"
systemctl poweroff --force
