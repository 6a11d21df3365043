# Runs in the virtual machine, as root, under systemd: the shipped units on kernel GPIO, on a root that takes no writes, and
# without a network. Nobody has plugged in a camera; the box has to be ready all the same.
set -e
trap 'journalctl -u callbox -u callbox-off --no-pager -n 60' ERR
source_dir=/host root='' etc=/etc/callbox
say() { printf '%s\n' "$*"; }
change() { say "$1"; shift; "$@"; }
has_systemd() { :; }
control() { systemctl "$@"; }
. systemd/machine.sh

mkdir -p /opt/callbox/current/.venv/bin /etc/callbox
cp -r device vision engine calibration models /opt/callbox/
chmod -R go=rX /opt/callbox
printf '#!/bin/sh\nPYTHONPATH=/opt/callbox exec /opt/venv/bin/python -B -c "from device.cli import main; main()" "$@"\n' \
  > /opt/callbox/current/.venv/bin/callbox
chmod 755 /opt/callbox/current/.venv/bin/callbox
useradd --system --user-group --home-dir /var/lib/callbox callbox
for group in video gpio spi audio; do getent group $group >/dev/null || groupadd --system $group; done
printf '[panel.off]\nhold_s = 2\n' > /etc/callbox/callbox.toml
cp systemd/callbox.service /etc/systemd/system/
mkdir -p /etc/systemd/system/callbox.service.d /etc/systemd/system/callbox-off.service.d
# An emulated processor is a hundred times slower than a Pi.
printf '[Service]\nTimeoutStartSec=900\nTimeoutStopSec=300\nWatchdogSec=900\n' > /etc/systemd/system/callbox.service.d/slow.conf
# Switched off for good, the machine could not say how it went: here it is written down, and the box stopped as then.
printf '[Service]\nExecStart=\nExecStart=/bin/sh -c "date > /run/switched-off; systemctl stop callbox"\n' \
  > /etc/systemd/system/callbox-off.service.d/told.conf
systemctl daemon-reload
machine
[ -z "$(machine; :)" ]                                   # and a second time there is nothing to do

python3 /rig/gpio-vm/guest/simgpio.py up
udevadm settle
ls -l /dev/gpiochip0
[ "$(stat -c %G:%a /dev/gpiochip0)" = gpio:660 ]         # by our own rule: this Debian has none
pull() { python3 /rig/gpio-vm/guest/simgpio.py pull "$@"; }
lit() { python3 /rig/gpio-vm/guest/simgpio.py value "$1"; }
for pin in 17 27 22 5 6 13 19 26 3; do pull $pin up; done

# One writable folder; the rest as on a card with an overlay or a read-only root.
mount -t tmpfs tmpfs /var/lib/callbox 2>/dev/null || { mkdir -p /var/lib/callbox; mount -t tmpfs tmpfs /var/lib/callbox; }
for folder in /tmp /var/tmp /var/log; do mount -t tmpfs tmpfs $folder; done
chown callbox:callbox /var/lib/callbox
chmod 1777 /tmp /var/tmp
systemctl restart systemd-journald
mount -o remount,ro /
! touch /etc/written 2>/dev/null                         # it takes no writes
[ -z "$(ip -o addr show scope global 2>/dev/null)" ]     # and there is no network

systemctl start callbox                                  # returns when the box has said READY=1
systemctl is-active callbox
[ -n "$(ls /var/lib/callbox)" ]
pull 13 down                                             # CACHE is stuck; told after half a minute
until journalctl -u callbox --no-pager | grep "CACHE is down all the time"; do sleep 1; done
pull 13 up
[ "$(lit 2)" = 0 ]                                       # the off lamp hangs on 3.3 V: lit
echo "off lamp lit, status red $(lit 4) green $(lit 14) blue $(lit 15)"

pull 3 down                                              # a finger on OFF
until [ -e /run/switched-off ]; do sleep 0.5; done
until [ "$(systemctl show callbox -p ActiveState --value)" = inactive ]; do sleep 0.5; done
journalctl -u callbox --no-pager | grep -v "^--" | tail -12
journalctl -u callbox --no-pager | grep -q "Everything is in the journal"
[ "$(systemctl show callbox -p Result --value)" = success ]
[ ! -e /run/callbox/off ]                                # it does not ask again
! journalctl -u callbox --no-pager | grep -q Traceback
journalctl --disk-usage
echo ok
