# Runs as root in a container with a systemd of its own: the shipped unit, whose box is hung again and again. Only the camera's
# library is not the real one (picamera2.py in this folder), so that there is a process that takes pictures.
set -e
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
trap 'journalctl -u callbox --no-pager -n 60' ERR
mkdir -p /opt/callbox/current/.venv/bin /opt/rig /etc/callbox
cp -r device vision engine calibration models /opt/callbox/
cp hanging.py picamera2.py /opt/rig/
chmod -R go=rX /opt/callbox /opt/rig
printf '#!/bin/sh\nPYTHONPATH=/opt/callbox:/opt/rig exec /opt/venv/bin/python -B -c "import hanging; from device.cli import main; main()" "$@"\n' \
  > /opt/callbox/current/.venv/bin/callbox
chmod 755 /opt/callbox/current/.venv/bin/callbox
useradd --system --user-group --home-dir /var/lib/callbox callbox
for group in video gpio spi audio; do getent group $group >/dev/null || groupadd --system $group; done
printf '[camera]\npython = "/opt/venv/bin/python"\nsharp = false\n' > /etc/callbox/callbox.toml
cp systemd/callbox.service /etc/systemd/system/
mkdir -p /etc/systemd/system/callbox.service.d
# Its pictures come by themselves. No container has pins. Times are the shipped ones; the limit of ten starts is not what
# is looked at here.
printf '[Unit]\nStartLimitIntervalSec=0\n[Service]\nEnvironment=FAKE_FREE=1 FAKE_GATE=/dev/null FAKE_ASKED=/dev/null GPIOZERO_PIN_FACTORY=mock\n' \
  > /etc/systemd/system/callbox.service.d/rig.conf
systemctl daemon-reload
systemctl start callbox
python3 hangs_job.py "$(cat times)" | tee told
game=$(tail -n 1 told | python3 -c 'import json, sys; print(json.load(sys.stdin)["game"])')
systemctl stop callbox
! journalctl -u callbox --no-pager | grep -q Traceback
journalctl -u callbox --no-pager | grep -c "Watchdog timeout" || true
# Whose journal it is reads it: root would leave files that the box may not write.
cd /var/lib/callbox
runuser -u callbox -- /opt/callbox/current/.venv/bin/callbox verify --data /var/lib/callbox
runuser -u callbox -- /opt/callbox/current/.venv/bin/callbox export "$game" --data /var/lib/callbox > /host/exported
echo ok
