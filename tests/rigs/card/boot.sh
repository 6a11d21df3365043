#!/usr/bin/env bash
# boot.sh MACHINE DISKS JOB RIGS [QEMU...]: the power is switched on. What is written stays on the disks, so this may be killed: what
# the machine had not flushed is lost then, as in a power cut.
machine=$1 disks=$2 job=$3 rigs=$4
shift 4
exec qemu-system-x86_64 -M q35 -accel tcg,thread=multi -cpu max -smp 2 -m 1536 -nodefaults -no-reboot -display none \
  -serial "file:$job/console.log" -kernel "$machine/vmlinuz" -initrd "$machine/initrd.img" \
  -append "root=LABEL=root rw console=ttyS0 quiet systemd.show_status=0 mitigations=off tsc=unstable no_timer_check net.ifnames=0" \
  -drive "file=$disks/disk.ext4,if=virtio,format=raw" -drive "file=$disks/boot.img,if=virtio,format=raw" \
  -virtfs "local,path=$job,mount_tag=host0,security_model=none" \
  -virtfs "local,path=$rigs,mount_tag=rig0,security_model=none,readonly=on" -device virtio-rng-pci \
  "$@"
