#!/usr/bin/env bash
# Makes a box of a card that was just written, without a login. `callbox card` puts this on the boot partition; cloud-init
# runs `begin` at each boot, and callbox-first-boot.service runs the steps, again and again until they are done. Each may be
# cut short by the power, and is done again at the next boot.
#
#   first-boot.sh begin   take unit and programs from the card, and start; afterwards only tidy up
#   first-boot.sh         1 the card, 2 the network, 3 to 5 the installer: system packages, Callbox's own, the start
#
#   /boot/firmware/callbox                what the card brings: release, signers, settings, PINs, SHA256SUMS over them
#   /var/lib/callbox-first-boot/state     "step 2", "ap", "fault 2" or "done": lamps, board, page and doctor tell it
#   /var/lib/callbox-first-boot/installer where the installer is (`step` in release.sh)
#   /var/lib/callbox-first-boot/said      what the installer said last
#
# CALLBOX_ROOT=FOLDER puts all files below FOLDER, and CALLBOX_SYSTEMCTL stands in for systemctl (for tests).
set -euo pipefail
umask 022

root=${CALLBOX_ROOT:-}
card=$root/boot/firmware/callbox
work=$root/var/lib/callbox-first-boot
units=$root/etc/systemd/system
data=$root/var/lib/callbox
etc=$root/etc/callbox
network_s=${CALLBOX_NETWORK_S:-90}
access_point_s=${CALLBOX_ACCESS_POINT_S:-900}
programs=(first-boot.sh first_boot_signs.py signs.json)
services=(callbox-first-boot.service callbox-first-boot-signs.service)

control() { "${CALLBOX_SYSTEMCTL:-systemctl}" "$@"; }
state() { printf '%s\n' "$*" >"$work/state.new" && mv "$work/state.new" "$work/state" && sync -f "$work"; }

# put FROM TO: a copy that is whole, or not there
put() { mkdir -p "$(dirname "$2")" && cp "$1" "$2.new" && sync "$2.new" && mv "$2.new" "$2"; }

begin() {
  local each
  if [ -e "$work/done" ]; then tidy; return; fi
  # cloud-init does not flush what it writes, and stumbles at every later boot over what a power cut has emptied.
  sync -f "$work"
  for each in "${programs[@]}"; do put "$card/$each" "$work/$each"; done
  for each in "${services[@]}"; do put "$card/$each" "$units/$each"; done
  control daemon-reload
  control start --no-block callbox-first-boot.service
}

# The archive and the PINs' hashes need not lie on the card any longer.
tidy() {
  rm -rf "$work/release" "$work/release.new" "$card/release.tar.gz" "$card/pins.json" "$card/access-point"
  sync -f "$card"
  rm -f "${services[@]/#/$units/}"
}

fault() {
  printf 'first boot: fault %s: %s\n' "$1" "$2" >&2
  state "fault $1"
  show_signs
  exit 1
}

# A box that runs has lamps, board and page itself; a conflict between the units ends the signs when it starts.
show_signs() {
  control is-active --quiet callbox 2>/dev/null || control start --no-block callbox-first-boot-signs.service || true
}

unpack_card() {
  [ ! -d "$work/release" ] || return 0
  (cd "$card" && sha256sum --quiet --strict -c SHA256SUMS) || return
  rm -rf "$work/release.new" && mkdir "$work/release.new" &&
    tar --no-same-owner --strip-components=1 -xzf "$card/release.tar.gz" -C "$work/release.new" &&
    sync -f "$work" && mv "$work/release.new" "$work/release"
}

place_settings() {
  [ -e "$etc/signers" ] || put "$card/signers" "$etc/signers"
  [ -e "$etc/callbox.toml" ] || put "$card/callbox.toml" "$etc/callbox.toml"
}

# ------------------------------------------------------------------------------------------------------ the network

is_online() {
  if command -v nm-online >/dev/null; then nm-online -q --timeout="$network_s"; else [ -n "$(ip route show default)" ]; fi
}

# Wanted where the release has not all packages with it, or where the card names a Wi-Fi.
network() {
  [ ! -d "$work/release/wheelhouse" ] || [ -e "$card/access-point" ] || return 0
  ! is_online || return 0
  ! offer_access_point || ! is_online || return 0
  [ -d "$work/release/wheelhouse" ]
}

wifi_device() { nmcli -t -f DEVICE,TYPE device | sed -n 's/:wifi$//p' | head -1; }

# The Wi-Fi of the card does not let the box in: for a quarter of an hour it has one of its own, whose page takes another.
offer_access_point() {
  local device name key waited=0
  [ -e "$card/access-point" ] && command -v nmcli >/dev/null && device=$(wifi_device) && [ -n "$device" ] || return
  { read -r name && read -r key; } <"$card/access-point"
  rm -f "$work/wifi"
  nmcli connection delete callbox-access-point >/dev/null 2>&1 || true
  nmcli connection add save no type wifi ifname "$device" con-name callbox-access-point autoconnect no ssid "$name" \
    802-11-wireless.mode ap 802-11-wireless.band bg ipv4.method shared ipv4.addresses 10.42.0.1/24 ipv6.method disabled \
    wifi-sec.key-mgmt wpa-psk wifi-sec.psk "$key" >/dev/null && nmcli connection up callbox-access-point || return
  state ap
  while [ ! -e "$work/wifi" ] && [ "$waited" -lt "$access_point_s" ]; do sleep 1; waited=$((waited + 1)); done
  nmcli connection delete callbox-access-point >/dev/null 2>&1 || true
  state "step 2"
  take_wifi "$device"
}

# What the page wrote: a name, and a key as Wi-Fi reckons it from name and password.
take_wifi() {
  local name key
  if [ -e "$work/wifi" ]; then
    { IFS= read -r name && read -r key; } <"$work/wifi"
    rm -f "$work/wifi"
    nmcli connection delete callbox-wifi >/dev/null 2>&1 || true
    nmcli connection add type wifi ifname "$1" con-name callbox-wifi ssid "$name" connection.autoconnect-priority 10 \
      wifi-sec.key-mgmt wpa-psk wifi-sec.psk "$key" >/dev/null || return
    nmcli connection up callbox-wifi || true
  else
    nmcli device connect "$1" || true
  fi
}

# ---------------------------------------------------------------------------------------------------- the installer

# By the step at which the installer was.
installer_fault() {
  case $(cut -d' ' -f1 "$work/installer" 2>/dev/null || true) in
    sign | check) fault 1 "the release is not the one that was packed; see $work/said" ;;
    ready) fault 4 "Callbox's packages cannot be had; see $work/said" ;;
    try | change | current) fault 5 "the box is not well; see $work/said" ;;
    *) fault 3 "the system's packages cannot be had; see $work/said" ;;
  esac
}

install_release() {
  [ -n "$root" ] || DEBIAN_FRONTEND=noninteractive dpkg --configure -a || true # the power went in the midst of a package
  CALLBOX_STEP=$work/installer "$work/release/systemd/install.sh" --without-pictures 2>&1 </dev/null | tee "$work/said"
}

keep_pins() {
  local owner=()
  [ -e "$card/pins.json" ] && [ ! -e "$data/pins.json" ] || return 0
  [ -n "$root" ] || owner=(-o callbox -g callbox)
  install -m 600 "${owner[@]}" "$card/pins.json" "$data/pins.json.new" && sync "$data/pins.json.new" &&
    mv "$data/pins.json.new" "$data/pins.json"
}

finish() {
  keep_pins
  state 'done'
  : >"$work/done"
  sync -f "$work"
  tidy
}

main() {
  mkdir -p "$work"
  if [ "${1:-}" = begin ]; then begin; return; fi
  rm -f "$work/installer" # where it was before the power was cut
  state "step 1"
  show_signs
  [ -n "$root" ] || ! command -v raspi-config >/dev/null || raspi-config nonint do_spi 0 || true # the board, from now on
  unpack_card || fault 1 "the card is damaged, or full: write it again"
  place_settings
  state "step 2"
  network || fault 2 "no network, and not all packages are on the card"
  state "step 3"
  install_release || installer_fault
  finish
}

main "$@"; exit
