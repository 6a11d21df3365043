#!/usr/bin/env bash
# begin.sh IMAGE JOB FOLDER: boots a Debian with a systemd of its own in a container, without any network, and runs
# JOB/job.sh in it as root; JOB is /host there. The image (the virtual machine's disk) stays as it is: what is written
# goes to FOLDER. Status: the job's.
set -euo pipefail
image=$1 job=$2 folder=$3
mkdir "$folder"/{disk,written,work,root}
mount -o loop,ro,noload "$image" "$folder/disk"
trap 'umount "$folder/root" || true; umount "$folder/disk"' EXIT
mount -t overlay overlay -o "lowerdir=$folder/disk,upperdir=$folder/written,workdir=$folder/work" "$folder/root"
: > "$folder/root/etc/fstab"
cat > "$folder/root/etc/systemd/system/rig-job.service" <<'U'
[Unit]
Description=the rig's job
After=multi-user.target

[Service]
Type=oneshot
WorkingDirectory=/host
ExecStart=/bin/bash -c 'bash ./job.sh > out.log 2>&1; echo $? > rc'
ExecStopPost=/bin/systemctl --no-block poweroff

[Install]
WantedBy=multi-user.target
U
# Debian 13 wants the newer control groups, whatever this machine has.
SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 systemd-nspawn --quiet --directory="$folder/root" --bind="$job:/host" --boot \
  --private-network --register=no --keep-unit --machine=callbox-rig > "$folder/console.log" 2>&1 < /dev/null || true
exit "$(cat "$job/rc" || echo 125)"
