#!/bin/sh
# The service under a booted systemd: `make test-service`, as root. A Debian (SUITE=bookworm or trixie) with what
# `make install-pi` installs, all but the Pi's own packages, is made once in out/service-SUITE; it boots in a container
# that leaves it as it was. The film of the sample match stands in for the camera.
set -eu
suite=${SUITE:-trixie}
root=$(realpath -m "${ROOT:-out/service-$suite}")
here=$(cd "$(dirname "$0")/../.." && pwd)
[ "$(id -u)" = 0 ] || { echo "test-service: systemd-nspawn needs root" >&2; exit 2; }
for tool in mmdebstrap systemd-nspawn; do
  command -v $tool >/dev/null || { echo "test-service: apt install mmdebstrap systemd-container" >&2; exit 2; }
done

if [ ! -e "$root/.made" ]; then
  rm -rf "$root"
  mmdebstrap --quiet --variant=minbase \
    --include=systemd,systemd-sysv,dbus,python3,python3-venv,ca-certificates,procps "$suite" "$root"
  cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
  touch "$root/.made"
fi
rm -rf "$root/opt/checkout"
mkdir -p "$root/opt/checkout"
git -C "$here" ls-files -z | tar -C "$here" --null -T - -c | tar -C "$root/opt/checkout" -x
cp --dereference /etc/resolv.conf "$root/etc/resolv.conf"
cp "$here/tests/service/probe.sh" "$root/opt/probe.sh"
cp "$here/tests/service/probe.service" "$root/etc/systemd/system/"
mkdir -p "$root/boot/firmware"

# install-pi itself, without its steps that need Pi OS's packages or a systemd that runs.
chroot "$root" sh -c 'cd /opt/checkout && python3 - <<END
from pathlib import Path
from hardware.install import Run, install_steps
for step in install_steps(Path("/opt/checkout")):
    if not (isinstance(step, Run) and {"apt-get", "systemctl", "udevadm", "import picamera2"} & set(step.command)):
        print(step, flush=True)
        step.do(Path("/"))
END'
sample=$(chroot "$root" sh -c 'cd / && /opt/fairtray/venv/bin/python -c "from firmware.sample import SAMPLE; print(SAMPLE)"')
cat > "$root/etc/fairtray.toml" <<END
[camera]
source = "$sample/video.mp4"
calibration = "$sample/calibration.toml"
END
rm -rf "$root/var/lib/fairtray/matches"
systemctl --root="$root" --quiet enable fairtray.service probe.service

systemd-nspawn --quiet --boot --directory="$root" --volatile=overlay --register=no --keep-unit \
  </dev/null 2>&1 | tr -d '\r' | tee "$root.log" | sed -n 's/^.*probe: //p'
grep -q 'probe: all well' "$root.log" || { echo "test-service: failed, see $root.log" >&2; exit 1; }
