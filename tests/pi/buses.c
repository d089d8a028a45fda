// SPDX-License-Identifier: GPL-2.0
// An I2C bus with one device, and an SPI bus with one: they keep every byte that is written to them. What they kept is
// read from debugfs, buses/i2c (each message after its length, four bytes) and buses/spi; writing there forgets it.
#include <linux/debugfs.h>
#include <linux/i2c.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/spi/spi.h>
#include <linux/vmalloc.h>

#define ROOM (8 << 20)

struct log {
	u8 *bytes;
	size_t length;
	struct mutex lock;
};

static unsigned int address = 0x3c;
module_param(address, uint, 0644);
MODULE_PARM_DESC(address, "of the I2C device; another address answers nothing");

static struct log i2c_log, spi_log;
static struct platform_device *parent;
static struct spi_controller *controller;
static struct dentry *folder;

static void keep(struct log *log, const void *bytes, size_t count)
{
	mutex_lock(&log->lock);
	if (log->length + count <= ROOM) {
		memcpy(log->bytes + log->length, bytes, count);
		log->length += count;
	}
	mutex_unlock(&log->lock);
}

static ssize_t log_read(struct file *file, char __user *to, size_t count, loff_t *place)
{
	struct log *log = file->private_data;

	return simple_read_from_buffer(to, count, place, log->bytes, log->length);
}

static ssize_t log_write(struct file *file, const char __user *from, size_t count, loff_t *place)
{
	((struct log *)file->private_data)->length = 0;
	return count;
}

static const struct file_operations log_operations = {
	.owner = THIS_MODULE, .open = simple_open, .read = log_read, .write = log_write, .llseek = default_llseek,
};

static int i2c_messages(struct i2c_adapter *adapter, struct i2c_msg *messages, int count)
{
	int place;

	for (place = 0; place < count; place++) {
		struct i2c_msg *message = &messages[place];
		u32 length = message->len;

		if (message->addr != address)
			return -EREMOTEIO; // as a Pi's bus says that nobody answers
		if (message->flags & I2C_M_RD) {
			memset(message->buf, 0, length);
		} else {
			keep(&i2c_log, &length, sizeof(length));
			keep(&i2c_log, message->buf, length);
		}
	}
	return count;
}

static u32 i2c_can(struct i2c_adapter *adapter)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm i2c_way = { .master_xfer = i2c_messages, .functionality = i2c_can };
static struct i2c_adapter bus = { .owner = THIS_MODULE, .name = "fairtray test bus", .algo = &i2c_way, .nr = 1 };

static int spi_one(struct spi_controller *from, struct spi_device *to, struct spi_transfer *transfer)
{
	if (transfer->tx_buf)
		keep(&spi_log, transfer->tx_buf, transfer->len);
	if (transfer->rx_buf)
		memset(transfer->rx_buf, 0, transfer->len);
	return 0;
}

static int __init start(void)
{
	// A name that spidev knows, so that it makes /dev/spidev0.0 of it.
	static struct spi_board_info device = { .modalias = "dh2228fv", .max_speed_hz = 50000000 };
	int fault;

	mutex_init(&i2c_log.lock);
	mutex_init(&spi_log.lock);
	i2c_log.bytes = vzalloc(ROOM);
	spi_log.bytes = vzalloc(ROOM);
	parent = platform_device_register_simple("fairtray-buses", -1, NULL, 0);
	if (!i2c_log.bytes || !spi_log.bytes || IS_ERR(parent))
		return -ENOMEM; // the machine is thrown away: nothing is given back
	bus.dev.parent = &parent->dev;
	fault = i2c_add_numbered_adapter(&bus);
	if (fault)
		fault = i2c_add_adapter(&bus);
	if (fault)
		return fault;
	controller = spi_alloc_host(&parent->dev, 0);
	if (!controller)
		return -ENOMEM;
	controller->bus_num = 0;
	controller->num_chipselect = 2;
	controller->transfer_one = spi_one;
	controller->mode_bits = SPI_CPOL | SPI_CPHA | SPI_CS_HIGH | SPI_NO_CS;
	fault = spi_register_controller(controller);
	if (fault)
		return fault;
	spi_new_device(controller, &device);
	folder = debugfs_create_dir("buses", NULL);
	debugfs_create_file("i2c", 0600, folder, &i2c_log, &log_operations);
	debugfs_create_file("spi", 0600, folder, &spi_log, &log_operations);
	return 0;
}

static void __exit stop(void)
{
	debugfs_remove(folder);
	spi_unregister_controller(controller);
	i2c_del_adapter(&bus);
	platform_device_unregister(parent);
	vfree(i2c_log.bytes);
	vfree(spi_log.bytes);
}

module_init(start);
module_exit(stop);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Buses that keep what they are sent");
