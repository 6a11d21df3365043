# Runs in the virtual machine, as root, in a copy of this folder that also holds the rooms: the kernel's virtual camera.
set -e
modprobe vivid n_devs=1 node_types=0x1     # one device, that gives pictures as a USB camera does
PYTHONPATH=/host python usb_job.py
