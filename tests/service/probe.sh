# Runs inside the container: is the service ready, is it started again when it is killed and when it hangs, does it stop,
# and is it taken away without its matches?
fairtray=/opt/fairtray/venv/bin/fairtray
say() { echo "probe: $*"; }
leave() { say "$*"; journalctl -u fairtray --no-pager -o cat | tail -20; systemctl poweroff --force; exit 1; }
shown() { systemctl show fairtray --property="$1" --value; }
main() { shown MainPID; }
ready() {  # within the seconds given, by the service and by the appliance itself
  for _ in $(seq $(($1 * 5))); do
    [ "$(shown ActiveState)" = active ] && $fairtray status --json | grep -q '"ready": true' && return 0
    sleep 0.2
  done
  return 1
}
since() { echo "$((($(date +%s%N) - $1) / 1000000)) ms"; }

systemd-analyze verify /etc/systemd/system/fairtray.service || leave "the unit has faults"
ready 120 || leave "not ready"
say "ready: $($fairtray status --json | cut -c1-150)"
before=$(main) begun=$(date +%s%N)
kill -KILL "$before"
ready 120 || leave "not ready after a kill"
[ "$(main)" != "$before" ] || leave "still the same process after a kill"
say "killed and ready again after $(since "$begun"), restarts: $(shown NRestarts)"
before=$(main)
kill -STOP "$before"
for _ in $(seq 60); do [ "$(main)" != "$before" ] && break; sleep 1; done
ready 120 || leave "not ready after it hung"
journalctl -u fairtray --no-pager -o cat | grep -q "Watchdog timeout" || leave "the watchdog did not bite"
say "hung, ended by the watchdog and started again, restarts: $(shown NRestarts)"
begun=$(date +%s%N)
systemctl stop fairtray
say "stopped in $(since "$begun"), result: $(shown Result)"
[ "$(shown Result)" = success ] || leave "not stopped cleanly"
for match in /var/lib/fairtray/matches/*; do
  $fairtray match verify "$match" || leave "$match was damaged"
done
for _ in first again; do
  (cd /opt/checkout && python3 -m hardware.install --uninstall) || leave "not uninstalled"
done
[ ! -e /opt/fairtray ] && [ ! -e /etc/systemd/system/fairtray.service ] || leave "left behind by the uninstallation"
[ -e /etc/fairtray.toml ] && [ -n "$(ls /var/lib/fairtray/matches)" ] || leave "the uninstallation took matches away"
say "uninstalled, twice; matches and configuration are kept"
say "all well"
systemctl poweroff --force
