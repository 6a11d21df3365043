#!/usr/bin/env bash
# prepare.sh CARD MACHINE SITE TO: what a computer writes before the first boot. TO/disk.ext4 is a copy of the virtual
# machine's disk, set up as Raspberry Pi OS has it: cloud-init reads its seed from the boot partition, TO/boot.img, which
# holds CARD. SITE: Python files for the system's own Python, which Raspberry Pi OS has as packages.
set -euo pipefail
card=$1 machine=$2 site=$3 to=$4
cp --sparse=always "$machine/disk.ext4" "$to/disk.ext4"
truncate -s 512M "$to/boot.img"
mkfs.vfat -n bootfs -F 32 "$to/boot.img" > /dev/null 2>&1
mcopy -s -i "$to/boot.img" "$card"/* ::/
mkdir "$to/root"
mount -o loop "$to/disk.ext4" "$to/root"
trap 'umount "$to/root"' EXIT
units=$to/root/etc/systemd/system
mkdir -p "$to/root/boot/firmware" "$units"/{cloud-init-local,cloud-init-main,callbox}.service.d
echo 'LABEL=bootfs /boot/firmware vfat defaults 0 2' >> "$to/root/etc/fstab"
printf 'datasource_list: [ NoCloud, None ]\ndatasource:\n  NoCloud:\n    seedfrom: file:///boot/firmware/\n' \
  > "$to/root/etc/cloud/cloud.cfg.d/99_card.cfg"
for each in cloud-init-local cloud-init-main; do
  printf '[Unit]\nRequiresMountsFor=/boot/firmware\n' > "$units/$each.service.d/card.conf"
done
cp -r "$site"/* "$to/root/usr/lib/python3/dist-packages/"
(cd "$to/root" && printf '/%s\n' opt/venv/lib/python3*/site-packages > usr/lib/python3/dist-packages/rig.pth)
# An emulated processor is slow, and slowness is no failure: nothing here gives up before an hour. systemctl itself gives a
# reload three minutes, whatever it is told.
mkdir -p "$to/root/etc/systemd/system.conf.d"
printf '%s\n' '[Manager]' Default{TimeoutStart,TimeoutStop,DeviceTimeout}Sec=3600 \
  'DefaultEnvironment=SYSTEMD_BUS_TIMEOUT=3600 CALLBOX_PATIENCE_S=3600' > "$to/root/etc/systemd/system.conf.d/slow.conf"
install -m 755 /dev/stdin "$to/root/usr/local/bin/systemctl" <<'END'
#!/bin/bash
manager=(org.freedesktop.systemd1 /org/freedesktop/systemd1 org.freedesktop.systemd1.Manager)
reload() { busctl --timeout=3600 call "${manager[@]}" Reload 2>/dev/null || /usr/bin/systemctl daemon-reload; } # before D-Bus is up
case $1 in
  daemon-reload) reload ;;
  enable | disable) /usr/bin/systemctl --no-reload "$@" && reload ;;
  *) exec /usr/bin/systemctl "$@" ;;
esac
END
printf '%s\n' '[Service]' {TimeoutStart,TimeoutStop,Watchdog}Sec=3600 \
  'Environment=FAKE_FREE=1 FAKE_GATE=/dev/null FAKE_ASKED=/dev/null' > "$units/callbox.service.d/rig.conf"
