#!/bin/sh
# A Debian with its own kernel for the virtual machine of `make test-hw`, made once in out/pi-root (about 13 minutes):
# libcamera with its virtual camera, what Fairtray needs, and two kernel modules that Debian does not build.
set -eu
root=$1
here=$(cd "$(dirname "$0")/../.." && pwd)
[ "$(id -u)" = 0 ] || { echo "test-hw: making the machine's root needs root" >&2; exit 2; }
for tool in mmdebstrap qemu-system-x86_64 busybox modprobe; do
  command -v $tool >/dev/null || { echo "test-hw: apt install mmdebstrap qemu-system-x86 busybox-static kmod" >&2; exit 2; }
done

if [ ! -e "$root/.made" ]; then
  rm -rf "$root" && mkdir -p "$root"
  mmdebstrap --quiet --variant=minbase --include=systemd,systemd-sysv,udev,dbus,kmod,ca-certificates,\
linux-image-amd64,linux-headers-amd64,linux-source-6.12,xz-utils,gcc,make,libc6-dev,libcap-dev,swig,\
python3-venv,python3-dev,libgl1 \
    --setup-hook='sed -n "s/^deb \([^ ]*\) trixie main$/deb \1 trixie-backports main/p" "$1/etc/apt/sources.list" \
      > "$1/etc/apt/sources.list.d/backports.list"' \
    --customize-hook='chroot "$1" apt-get install -y -qq -t trixie-backports --no-install-recommends \
      python3-libcamera libcamera-ipa >/dev/null' \
    trixie "$root"
  cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
  touch "$root/.made"
fi
cp --dereference /etc/resolv.conf "$root/etc/resolv.conf"

# gpio-sim, and the interrupt lines it needs, for Debian's kernel; `irq_to_desc` is not given to modules.
version=$(cd "$root/lib/modules" && ls | tail -1)
modules=$root/opt/modules
if [ ! -e "$modules/gpio-sim-oot.ko" ]; then
  mkdir -p "$modules"
  tar -xJf "$root"/usr/src/linux-source-6.12.tar.xz -C "$modules" --strip-components=3 --wildcards \
    '*/drivers/gpio/gpio-sim.c'
  tar -xJf "$root"/usr/src/linux-source-6.12.tar.xz -C "$modules" --strip-components=3 --wildcards \
    '*/kernel/irq/irq_sim.c'
  sed -i 's/handle_simple_irq(irq_to_desc(irqnum));/generic_handle_irq_safe(irqnum);/' "$modules/irq_sim.c"
  rm -f "$root"/usr/src/linux-source-6.12.tar.xz
fi
cp "$here/tests/pi/buses.c" "$modules/"
printf 'obj-m := gpio-sim-oot.o buses.o\ngpio-sim-oot-y := gpio-sim.o irq_sim.o\n' > "$modules/Makefile"
chroot "$root" make --silent -C "/lib/modules/$version/build" M=/opt/modules modules

# Fairtray's locked packages, and what a Pi has from apt: lgpio, spidev, RPi.GPIO on lgpio, picamera2.
lock=$(sha256sum "$here/requirements.lock" | cut -c1-16)
if [ ! -e "$root/opt/venv/$lock" ]; then
  cp "$here/requirements.lock" "$root/opt/"
  chroot "$root" sh -euc '
    [ -x /opt/venv/bin/python ] || python3 -m venv --system-site-packages /opt/venv
    pip="/opt/venv/bin/pip install --quiet --disable-pip-version-check --no-input"
    $pip --require-hashes -r /opt/requirements.lock
    PYPI=1 $pip --no-binary=lgpio "lgpio>=0.2.2.0"
    $pip pytest spidev rpi-lgpio picamera2'
  touch "$root/opt/venv/$lock"
fi
