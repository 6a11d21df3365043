# shellcheck shell=bash disable=SC2154 # install.sh has set what is not set here
# What the machine around the service has of Callbox: who may switch it off or bring it a release, who may touch its
# devices, how much of a log it keeps, by which name it is found. Sourced by install.sh, which has change, control, root,
# etc, source_dir.

# A file of systemd/, and where it goes.
machine_files=(
  "callbox-off.path etc/systemd/system/callbox-off.path"
  "callbox-off.service etc/systemd/system/callbox-off.service"
  "callbox-update.path etc/systemd/system/callbox-update.path"
  "callbox-update.service etc/systemd/system/callbox-update.service"
  "journald.conf etc/systemd/journald.conf.d/callbox.conf"
  "udev.rules etc/udev/rules.d/70-callbox.rules"
  "avahi.service etc/avahi/services/callbox.service"
)

# The console's port, as the owner has it.
console_port() {
  local port
  port=$(sed -n '/^\[console\]/,/^\[/s/^port *= *\([0-9][0-9]*\).*/\1/p' "$etc/callbox.toml" 2>/dev/null | tail -1) || true
  printf '%s' "${port:-8080}"
}

# A file as it is to be on this box.
made_for_this_box() { sed "s|@PORT@|$(console_port)|" "$source_dir/systemd/$1"; }

machine_is_right() {
  local line file place
  for line in "${machine_files[@]}"; do
    read -r file place <<<"$line"
    [ "$(made_for_this_box "$file")" = "$(cat "$root/$place" 2>/dev/null)" ] || return
  done
}

tell_machine() {
  local line file place
  for line in "${machine_files[@]}"; do
    read -r file place <<<"$line"
    mkdir -p "$(dirname "$root/$place")" && made_for_this_box "$file" >"$root/$place.new" &&
      chmod 644 "$root/$place.new" && mv "$root/$place.new" "$root/$place" || return
  done
  have_it_heard
}

# udev and the log read their files anew; Avahi looks by itself. What is not there on a machine needs no telling.
have_it_heard() {
  control daemon-reload || return
  [ -z "$root" ] || return 0
  systemctl try-restart systemd-journald || return
  ! command -v udevadm >/dev/null || { udevadm control --reload && udevadm trigger --action=change; } ||
    printf 'note: udev does not listen; its rules work from the next start on\n'
}

# A path unit, and what it hears.
listen_to() {
  control is-active --quiet "$1" 2>/dev/null || change "listen to $2 from now on" control enable --now --quiet "$1"
}

machine() {
  machine_is_right || change "set up the off button, updates by the console, the rights over devices, the log's size and \
the name in the network" tell_machine
  has_systemd || return 0
  listen_to callbox-off.path "the off button"
  listen_to callbox-update.path "releases from the console"
}

leave_machine() {
  local line there=''
  for line in "${machine_files[@]}"; do [ ! -e "$root/${line#* }" ] || there=1; done
  [ -n "$there" ] || return 0
  ! has_systemd || change "stop callbox-off.path and callbox-update.path" \
    control disable --now --quiet callbox-off.path callbox-update.path
  change "take away what the machine had of Callbox" rm -f "${machine_files[@]/#* /$root/}"
}
