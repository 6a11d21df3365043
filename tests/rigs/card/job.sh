# Runs in the virtual machine at each boot, as root: nobody logs in here; it only looks, and presses buttons. Each line of
# /host/states is where the first boot is; one of /host/progress also which lamps and colours are lit, and what the page says.
set -e
gpio() { python3 /rig/gpio-vm/guest/simgpio.py "$@"; }
gpio up > /dev/null
# A Pi has its pins from the start.
if systemctl is-active --quiet callbox; then systemctl restart callbox; fi
work=/var/lib/callbox-first-boot before=''
until [ -e $work/done ]; do
  now=$(cat $work/state $work/installer 2>/dev/null | tr '\n' ' ')
  if [ "$now" != "$before" ]; then
    echo "$now" >> /host/states
    sleep 3
    lit=$(for pin in 18 23 24 25 12 16 20 21 4 14 15; do gpio value $pin; done | tr -d '\n')
    page=$(python3 -c 'import re, urllib.request as u
print(*re.findall(r"role=.status.>([^<]*)", u.urlopen("http://127.0.0.1:8080/", timeout=600).read().decode()))' 2>&1 | tail -1)
    echo "$now| $lit | $page" >> /host/progress
    before=$now
  fi
  sleep 1
done
echo "done" | tee -a /host/states >> /host/progress
until [ -e /host/play ]; do sleep 1; done # else the power is cut once more
trap 'journalctl --no-pager -u callbox-first-boot -u callbox -n 60' ERR
[ "$(systemctl is-active callbox)" = active ]
[ "$(hostname)" = dicebox ]
while [ -e /boot/firmware/callbox/release.tar.gz ]; do sleep 1; done
if [ -e /sys/class/net/eth0 ]; then ip -o -4 addr show dev eth0 | grep 'inet 10.0.2.15/'; else [ -z "$(ip -o addr show scope global)" ]; fi
cd /var/lib/callbox
python3 /host/play.py
if journalctl -u callbox --no-pager | grep Traceback; then exit 1; fi
runuser -u callbox -- /opt/callbox/.venv/bin/callbox verify --data /var/lib/callbox
runuser -u callbox -- /opt/callbox/.venv/bin/callbox export 1 --data /var/lib/callbox > /host/exported
echo ok
