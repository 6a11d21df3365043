#!/usr/bin/env bash
# container.sh IMAGE CARD FOLDER [SECONDS...]: the same first boot in a container with a systemd of its own and no network,
# which is quick, but has no pins. It is killed after each of SECONDS, as if the power were cut (only that nothing unflushed
# is lost: that is what the virtual machine is for), and then let come to its end. FOLDER/job/out.log says how it went.
set -euo pipefail
image=$1 card=$2 folder=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd -P)
root=$folder/root
mkdir -p "$folder"/{disk,written,work,root,job}
cp "$here/container_job.sh" "$folder/job/job.sh"
mount -o loop,ro,noload "$image" "$folder/disk"
mount -t overlay overlay -o "lowerdir=$folder/disk,upperdir=$folder/written,workdir=$folder/work" "$root"
trap 'umount "$root" "$folder/disk"' EXIT
units=$root/etc/systemd/system
: > "$root/etc/fstab"
mkdir -p "$root/boot/firmware" "$units"/{callbox,callbox-first-boot}.service.d
printf 'datasource_list: [ NoCloud, None ]\ndatasource:\n  NoCloud:\n    seedfrom: file:///boot/firmware/\n' \
  > "$root/etc/cloud/cloud.cfg.d/99_card.cfg"
printf '[Service]\nTimeoutStartSec=3600\nTimeoutStopSec=600\nWatchdogSec=3600\n' > "$units/callbox.service.d/slow.conf"
printf '[Service]\nEnvironment=CALLBOX_PATIENCE_S=3600\n' > "$units/callbox-first-boot.service.d/slow.conf"
cat > "$units/rig-job.service" <<'U'
[Unit]
Description=the rig's job
After=multi-user.target

[Service]
Type=oneshot
WorkingDirectory=/host
ExecStart=/bin/bash -c 'bash ./job.sh > out.log 2>&1'
ExecStopPost=/bin/systemctl --no-block poweroff

[Install]
WantedBy=multi-user.target
U

boot() {
  SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 exec systemd-nspawn --quiet --directory="$root" --bind="$folder/job:/host" \
    --bind="$card:/boot/firmware" --boot --private-network --register=no --keep-unit --machine=callbox-card \
    > "$folder/console.log" 2>&1 < /dev/null
}

for seconds; do
  boot &
  sleep "$seconds"
  echo "cut after $seconds s, at $(cat "$folder/job/state" 2>/dev/null)"
  pkill -9 -P $! || true
  kill -9 $! 2>/dev/null || true
  wait $! || true
done
boot &
wait $! || true
