# Runs in the virtual machine, as root, under systemd: the shipped unit with the whole box behind it. The camera is
# the simulated table, for the machine has none; everything else is as on a Pi.
set -e
mkdir -p /opt/callbox /etc/callbox
cp -r device vision engine calibration models /opt/callbox/
chmod -R go=rX /opt/callbox
# The rig's Python has the packages; the installer's venv is proven elsewhere.
mkdir -p /opt/callbox/current/.venv/bin
printf '#!/bin/sh\nPYTHONPATH=/opt/callbox exec /opt/venv/bin/python -c "from device.cli import main; main()" "$@"\n' \
  > /opt/callbox/current/.venv/bin/callbox
chmod 755 /opt/callbox/current/.venv/bin/callbox
useradd --system --user-group --home-dir /var/lib/callbox callbox
for group in video gpio spi audio; do getent group $group >/dev/null || groupadd --system $group; done
printf '[camera]\nspec = "table"\nfps = 5\n[table]\nno_picture_ms = 60000\n' > /etc/callbox/callbox.toml
cp systemd/callbox.service /etc/systemd/system/
mkdir -p /etc/systemd/system/callbox.service.d
# An emulated processor is a hundred times slower than a Pi.
printf '[Service]\nTimeoutStartSec=200\nTimeoutStopSec=60\n' > /etc/systemd/system/callbox.service.d/slow.conf
systemctl daemon-reload

show() { systemctl show callbox -p "$1" --value; }
page() { python3 -c "import urllib.request as u; print(u.urlopen('http://127.0.0.1:8080/', timeout=60).read()[:200])"; }
trap 'journalctl -u callbox --no-pager -n 40' ERR

systemctl start callbox                     # returns when the box has said READY=1
[ "$(show ActiveState)" = active ]
first=$(show MainPID)
[ "$(stat -c %U /proc/$first)" = callbox ]
page | grep -qi "<!doctype html"
ls -l /var/lib/callbox
[ -n "$(ls /var/lib/callbox)" ]             # the journal lies in its own folder

kill -9 "$first"                            # and systemd brings it back
until [ "$(show ActiveState)" = active ] && [ "$(show MainPID)" != "$first" ]; do sleep 0.5; done
page | grep -qi "<!doctype html"
[ "$(show NRestarts)" = 1 ]

systemctl stop callbox
[ "$(show Result)" = success ]              # it went by itself, in time
journalctl -u callbox --no-pager | grep -v "^--" | tail -15
! journalctl -u callbox --no-pager | grep -q Traceback
systemd-analyze security --no-pager callbox.service | tail -1
echo ok
