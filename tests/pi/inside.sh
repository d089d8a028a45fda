# Runs inside the virtual machine: makes pins, buses and a camera, then runs the tests; the host reads the results.
exec >/opt/result/log.txt 2>&1
set -x
mount -t configfs none /sys/kernel/config
mount -t debugfs none /sys/kernel/debug
modprobe i2c-dev
modprobe spidev
modprobe udmabuf
modprobe vivid n_devs=1
insmod /opt/modules/gpio-sim-oot.ko
insmod /opt/modules/buses.ko
ln -sf system /dev/dma_heap/linux,cma
chip=/sys/kernel/config/gpio-sim/pi
mkdir -p $chip/bank0
echo 30 > $chip/bank0/num_lines
echo 1 > $chip/live
mkdir -p /run/fairtray /opt/film
cp /opt/checkout/tests/pi/virtual.yaml /usr/share/libcamera/pipeline/virtual/
cd /opt/checkout
export FAIRTRAY_PI=1 LG_WD=/run/fairtray PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=/opt/checkout
RPI_LGPIO_CHIP=$(sed s/gpiochip// $chip/bank0/chip_name) RPI_LGPIO_REVISION=c03114
export RPI_LGPIO_CHIP RPI_LGPIO_REVISION
/opt/venv/bin/python -m pytest tests/pi -p no:cacheprovider --durations=0 -rs >/opt/result/tests.txt 2>&1
echo $? > /opt/result/status
sync
