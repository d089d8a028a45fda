#!/bin/sh
# Fairtray on what a Pi has, in a virtual machine: `make test-hw`, as root. Debian's kernel boots with simulated pins and
# buses (root.sh) and runs the tests of this folder there. Without KVM it takes minutes; nothing of it needs a Pi.
set -eu
root=$(realpath -m "${ROOT:-out/pi-root}")
here=$(cd "$(dirname "$0")/../.." && pwd)
sh "$here/tests/pi/root.sh" "$root"

tools=$(dirname "$root")/pi-tools
PATH=$tools/bin:$PATH
[ -x "$tools/bin/vng" ] || { python3 -m venv "$tools" && "$tools/bin/pip" install --quiet virtme-ng; }
rm -rf "$root/opt/checkout" "$root/opt/result"
mkdir -p "$root/opt/checkout" "$root/opt/result"
git -C "$here" ls-files -z | tar -C "$here" --null -T - -c | tar -C "$root/opt/checkout" -x

# The first throw of the sample match as pictures, every other one, for the virtual camera; each has its number in a corner.
rm -rf "$root/opt/film" && mkdir -p "$root/opt/film"
chroot "$root" env PYTHONPATH=/opt/checkout /opt/venv/bin/python - <<'END'
from itertools import islice

import cv2

from firmware.sample import SAMPLE
from vision.source import open_source

with open_source(str(SAMPLE / "video.mp4")) as source:
    for number, frame in enumerate(islice(source, 52, 96, 2)):
        for bit in range(5):
            frame.image[:16, 16 * bit : 16 * bit + 16] = 255 * (number >> bit & 1)
        cv2.imwrite(f"/opt/film/{number:03}.jpg", frame.image, [cv2.IMWRITE_JPEG_QUALITY, 98])
END

kernel=$(ls "$root"/boot/vmlinuz-* | tail -1)
boot() {  # seconds it may take, script, options of vng
  limit=$1 script=$2
  shift 2
  timeout "$limit" vng "$@" --disable-microvm --force-9p --root "$root" -r "$kernel" --rw -m 2G -p 2 \
    --user root -- sh "$script" </dev/null >"$root.log" 2>&1
}
# Only a boot tells whether KVM works here: some machines have the file and no more.
if [ "${KVM:-}" != 0 ] && [ -w /dev/kvm ]; then
  boot 60 /opt/checkout/tests/pi/true.sh --qemu-opts="-cpu max" || true
fi
# QEMU's own processor is one without AVX: its emulation of that has faults, and numpy crashed with it.
if [ -e "$root/opt/result/booted" ]; then
  set -- --qemu-opts="-cpu max"
else
  set -- --disable-kvm --qemu-opts="-cpu Nehalem"
fi
begun=$(date +%s)
boot 3600 /opt/checkout/tests/pi/inside.sh "$@" || true
cat "$root/opt/result/tests.txt" 2>/dev/null || { tail -20 "$root.log"; echo "test-hw: it did not boot, see $root.log" >&2; exit 1; }
echo "test-hw: $(($(date +%s) - begun)) s$([ "$1" = --disable-kvm ] && echo ", without KVM")"
grep -q '^0$' "$root/opt/result/status"
