# Runs in the virtual machine, as root, under systemd: three radios of the kernel's own making (mac80211_hwsim). wlan0 is the
# box's, wlan1 a phone's, wlan2 the Wi-Fi at home, of which the card has the wrong password.
set -e
trap 'cat /tmp/first-boot.log; nmcli connection show --active; journalctl -u NetworkManager --no-pager -n 40' ERR
card=/boot/firmware/callbox work=/var/lib/callbox-first-boot
mkdir -p "$card" "$work/release/systemd"
cp card/* "$card"
cp card/{first-boot.sh,first_boot_signs.py,signs.json} "$work"
cp card/callbox-first-boot-signs.service /etc/systemd/system/
systemctl daemon-reload
# The release is unpacked already, and its installer does nothing: here it is about the network.
printf '#!/bin/sh\n' > "$work/release/systemd/install.sh"
chmod +x "$work/release/systemd/install.sh"

printf '[keyfile]\nunmanaged-devices=interface-name:wlan1;interface-name:wlan2\n' > /etc/NetworkManager/conf.d/rig.conf
modprobe mac80211_hwsim radios=3
systemctl restart NetworkManager
until nmcli -t -f DEVICE device | grep -qx wlan0; do sleep 1; done
printf '%s\n' interface=wlan2 'ssid=My home' wpa=2 wpa_key_mgmt=WPA-PSK rsn_pairwise=CCMP 'wpa_passphrase=the right one' \
  hw_mode=g channel=6 > /tmp/home.conf
hostapd -B /tmp/home.conf
ip address add 10.9.0.1/24 dev wlan2
dnsmasq --conf-file=/dev/null --port=0 --interface=wlan2 --bind-interfaces --dhcp-range=10.9.0.10,10.9.0.50
nmcli connection add type wifi ifname wlan0 con-name card ssid "My home" wifi-sec.key-mgmt wpa-psk wifi-sec.psk "the wrong one"

# As its unit does, which starts it again: a radio of a slow machine may need a second try.
export CALLBOX_NETWORK_S=60
(until bash "$work/first-boot.sh"; do sleep 5; done) > /tmp/first-boot.log 2>&1 &
until [ "$(cat "$work/state" 2>/dev/null)" = ap ]; do sleep 1; done
ip netns add phone
iw phy "$(iw dev wlan1 info | sed -n 's/.*wiphy /phy/p')" set netns name phone
printf 'network={\n ssid="callbox-setup"\n psk="12345678"\n}\n' > /tmp/phone.conf
ip netns exec phone wpa_supplicant -B -i wlan1 -c /tmp/phone.conf
until ip netns exec phone iw dev wlan1 link | grep "SSID: callbox-setup"; do sleep 1; done
ip netns exec phone ip address add 10.42.0.77/24 dev wlan1
ip netns exec phone python3 -c 'import urllib.request as u
page = "http://10.42.0.1:8080"
assert "<form" in u.urlopen(page, timeout=600).read().decode()
assert "<form" not in u.urlopen(page + "/wifi", b"name=My+home&password=the+right+one", timeout=600).read().decode()'
until [ -e "$work/done" ]; do sleep 1; done
nmcli connection show --active | grep "callbox-wifi .*wlan0"
ip address show wlan0 | grep "inet 10.9.0"
if nmcli connection show | grep callbox-access-point; then exit 1; fi
[ ! -e "$work/wifi" ]
echo ok
