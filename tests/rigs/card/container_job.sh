# Runs in the container at each boot, as root: nobody logs in here; it only looks.
set -e
trap 'journalctl --no-pager -u callbox-first-boot -u callbox -n 80' ERR
work=/var/lib/callbox-first-boot
until [ -e $work/done ]; do cp $work/state /host/state 2>/dev/null || true; sleep 1; done
while [ -e /boot/firmware/callbox/release.tar.gz ]; do sleep 1; done
[ "$(systemctl is-active callbox)" = active ]
[ "$(hostname)" = dicebox ]
[ ! -e /boot/firmware/callbox/pins.json ]
[ "$(stat -c %U:%a /var/lib/callbox/pins.json)" = callbox:600 ]
[ ! -e $work/release ]
[ ! -e /etc/systemd/system/callbox-first-boot.service ]
cd /var/lib/callbox
runuser -u callbox -- /opt/callbox/.venv/bin/callbox health --config /etc/callbox/callbox.toml --within 3600 --without-pictures
runuser -u callbox -- /opt/callbox/.venv/bin/callbox doctor --json --config /etc/callbox/callbox.toml > /tmp/doctor || true
grep '"first-boot"' /tmp/doctor | grep '"ok"'
cloud-init --version
echo ok
