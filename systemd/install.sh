#!/usr/bin/env bash
# Installs Callbox on Raspberry Pi OS Lite 64-bit (Bookworm or Trixie), or brings a newer release to a box that has one.
#
#   sudo systemd/install.sh [--dry-run] [--from RELEASE] [--without-pictures] [--unsigned] [--uninstall] [--roll-back]
#
# Installs from the folder it stands in. May be run again at any time: what is right already is left alone, and a second
# run changes nothing. A new release is made ready beside the one that runs and tried before the box changes over to it;
# where it is not well the box keeps, or gets back, the one that it had.
# --dry-run           say what would be done, change nothing (needs no root)
# --from RELEASE      install this archive or folder, after it was checked by the box's own script and trusted key
# --without-pictures  a new release is well even where no pictures come (the camera is not there yet)
# --unsigned          take a release that nobody whom this box trusts has signed
# --roll-back         back to the release before
# --uninstall         take service and program away; games and settings (/var/lib/callbox, /etc/callbox) stay
#
# CALLBOX_ROOT=FOLDER puts all files below FOLDER, and leaves packages, users and systemd alone (for tests);
# CALLBOX_SYSTEMCTL=COMMAND is then a stand-in for systemctl. CALLBOX_PATIENCE_S: how long a release has to get well.
# shellcheck disable=SC2317,SC2329 # `change` calls functions by their names
set -euo pipefail
umask 022 # whatever root's is: the box's user reads the release

source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
root=${CALLBOX_ROOT:-}
app=$root/opt/callbox
etc=$root/etc/callbox
data=$root/var/lib/callbox
units=$root/etc/systemd/system
patience_s=${CALLBOX_PATIENCE_S:-60}
unsigned=''
blind=''
dry=''
job=install
changes=0
# shellcheck source=systemd/release.sh
. "$source_dir/systemd/release.sh"
# shellcheck source=systemd/machine.sh
. "$source_dir/systemd/machine.sh"

say() { printf '%s\n' "$*"; }
fail() { printf 'install: %s\n' "$*" >&2; exit 1; }

has_systemd() { [ -z "$root" ] || [ -n "${CALLBOX_SYSTEMCTL:-}" ]; }
control() { ! has_systemd || "${CALLBOX_SYSTEMCTL:-systemctl}" "$@"; }

# change SENTENCE COMMAND...: counts, says and does one change; with --dry-run only says it
change() {
  local sentence=$1; shift
  changes=$((changes + 1))
  if [ -n "$dry" ]; then say "would $sentence"; return; fi
  say "$sentence"
  "$@" || fail "could not $sentence. The lines above say why; mend that and run this again."
}

arguments() {
  local from='' passed=()
  while [ $# -gt 0 ]; do
    case $1 in
      --dry-run) dry=1; passed+=("$1") ;;
      --unsigned) unsigned=1; passed+=("$1") ;;
      --without-pictures) blind=1; passed+=("$1") ;;
      --from) from=${2:?--from wants an archive or a folder}; shift ;;
      --uninstall | --roll-back | --prove) job=${1#--} ;;
      -h | --help) sed -n '2,/^set -/{/^set -/d;/shellcheck/d;s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"; exit 0 ;;
      *) printf 'install: unknown option %s. --help names all.\n' "$1" >&2; exit 2 ;;
    esac
    shift
  done
  [ -z "$from" ] || hand_over "$from" "${passed[@]}"
}

check_machine() {
  local os_release=${CALLBOX_OS_RELEASE:-/etc/os-release} arch codename
  arch=${CALLBOX_ARCH:-$(dpkg --print-architecture 2>/dev/null || uname -m)}
  [ -r "$os_release" ] || fail "this system does not say what it is. Callbox wants Raspberry Pi OS Lite 64-bit."
  # shellcheck disable=SC1090
  codename=$(. "$os_release" && printf '%s' "${VERSION_CODENAME:-unknown}")
  case $codename in
    bookworm | trixie) ;;
    *) fail "this is $codename; Callbox runs on Raspberry Pi OS Bookworm or Trixie. Write a new card with one of them." ;;
  esac
  case $arch in
    arm64) ;;
    amd64) say "note: this is a PC, not a Raspberry Pi. It will do for a try without camera and pins." ;;
    *) fail "this system is $arch; Callbox needs the 64-bit system (arm64). Write a new card with Raspberry Pi OS Lite (64-bit)." ;;
  esac
  [ -n "$dry" ] || [ -n "$root" ] || [ "$(id -u)" = 0 ] || fail "needs root. Run: sudo $0"
}

installed() { dpkg-query -W -f='${db:Status-Abbrev}' "$1" 2>/dev/null | grep -q '^ii'; }

# Without the first one there is no box; without the others it goes without camera, pins or voice until they can be had.
get_packages() {
  DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" && return
  installed python3-venv && say "note: $* cannot be had now. Run this again where there is a network."
}

packages() {
  [ -z "$root" ] || return 0
  local missing=() wanted=() package
  for package in python3-venv python3-picamera2 python3-lgpio python3-spidev avahi-daemon espeak-ng; do
    installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  # A fresh card knows of no package yet.
  [ -n "$dry" ] || apt-get update -qq || say "note: the lists of packages cannot be fetched. Is the network there?"
  for package in "${missing[@]}"; do
    if [ -n "$dry" ] || [ -n "$(apt-cache policy "$package" 2>/dev/null)" ]; then
      wanted+=("$package")
    else # plain Debian has no picamera2; the box then plays with films and the simulated table
      say "note: $package is not to be had here; on Raspberry Pi OS it is."
    fi
  done
  [ ${#wanted[@]} -eq 0 ] || change "install the packages ${wanted[*]}" get_packages "${wanted[@]}"
}

user() {
  [ -z "$root" ] || return 0
  id -u callbox >/dev/null 2>&1 || change "create the user callbox" \
    useradd --system --user-group --home-dir /var/lib/callbox --shell /usr/sbin/nologin callbox
  local group
  for group in video gpio spi audio; do
    getent group "$group" >/dev/null || change "create the group $group" groupadd --system "$group"
    id -nG callbox 2>/dev/null | tr ' ' '\n' | grep -qx "$group" || change "put callbox into the group $group" \
      usermod -a -G "$group" callbox
  done
}

update() {
  local name options=''
  check_release "$source_dir"
  if is_current; then step current; return; fi
  name=$(new_name)
  step ready "$(version "$source_dir")"
  change "make the release $name ready in $releases (minutes)" make_release "$name"
  if { [ -L "$units/callbox.service" ] || [ -e "$units/callbox.service" ]; } && has_systemd; then
    [ -n "$dry" ] || options=$(wanted)
    step try "$(version "$source_dir")"
    # shellcheck disable=SC2086 # one option or none
    change "try it in the place of the box that runs" try_release "$name" $options
  elif [ -n "$blind" ]; then options=--without-pictures; fi
  step change "$(version "$source_dir")"
  change "change over to $name" change_over "$name" "$options"
}

spi() {
  [ -z "$root" ] && command -v raspi-config >/dev/null || return 0
  [ "$(raspi-config nonint get_spi)" = 0 ] || change "switch SPI on for the scoreboard (works after a restart)" \
    raspi-config nonint do_spi 0
}

# The settings lie in the box's own folder, where pages may have them changed; /etc/callbox, with the signers that root goes
# by, is not the box's to write, and leads there. A file that stands in /etc/callbox moves; until the link is there it counts.
# Made ready beside the signers: whoever broke into the box could leave a link of its own in the box's folder.
keep_config() {
  local owner=()
  [ -n "$root" ] || owner=(-o callbox -g callbox)
  mkdir -p "$etc" && install -d -m 751 "${owner[@]}" "$data" && install -m 644 "${owner[@]}" "$1" "$etc/callbox.toml.new" &&
    sync "$etc/callbox.toml.new" && mv -fT "$etc/callbox.toml.new" "$data/callbox.toml" && sync "$data" &&
    ln -sfn ../../var/lib/callbox/callbox.toml "$etc/callbox.toml.new" && mv -fT "$etc/callbox.toml.new" "$etc/callbox.toml"
}

write_config() {
  keep_config /dev/stdin <<'END'
# Settings of this box; pages write here, too. All of them, with their meaning, stand in /opt/callbox/device/callbox.toml;
# put here only what you want otherwise. Then: sudo systemctl restart callbox
END
}

config() {
  local settings=$etc/callbox.toml
  if [ ! -e "$settings" ]; then change "write $settings" write_config
  elif [ ! -L "$settings" ]; then change "move $settings to $data, where pages may change it" keep_config "$settings"; fi
}

# A new release that does not start is no reason to stop here: it is looked at next, and goes where it came from.
begin_anew() { begin restart || [ -e "$app/unproven" ]; }

service() {
  local each
  are_linked || change "put the service in its place" place_links
  has_systemd || return 0
  for each in callbox callbox-prove; do
    control is-enabled --quiet $each 2>/dev/null || change "have $each start with the Pi" control enable --quiet $each
  done
  # Restarted even if it is only just starting: that may be the release before.
  if [ "$changes" -gt 0 ] || ! control is-active --quiet callbox 2>/dev/null; then
    change "start callbox anew" begin_anew
  fi
}

# Whether the box is well after all this; where a new release is not, it goes back to the one before.
see_whether_well() {
  local found=0
  [ -z "$dry" ] || return 0
  prove || found=$?
  case $found in
    0) return ;;
    2) exit 1 ;;
  esac
  health "$app/current" --within 5 --without-pictures >/dev/null ||
    fail "the box is not well; the lines above say what is missing. callbox doctor, or journalctl -u callbox, says why."
  say "note: no pictures come. Is the camera there? $app/.venv/bin/callbox doctor says more."
}

# systemctl fails for a unit that was never started, and forgets a linked one when it disables it; so what counts is that
# the service has ended.
end_service() {
  control stop "$1" 2>/dev/null || true
  control disable --quiet "$1" 2>/dev/null || true
  ! control is-active --quiet "$1"
}

remove() {
  local each
  for each in callbox callbox-prove; do
    [ -L "$units/$each.service" ] || [ -e "$units/$each.service" ] || continue
    ! has_systemd || change "stop $each" end_service $each
    change "remove $units/$each.service" rm -f "$units/$each.service"
  done
  [ -n "$root" ] || leave_machine
  [ ! -e "$app" ] || change "remove $app" rm -rf "$app"
  rm -rf "$trial_unit" "$trial_unit.d" "$trial_data"
  [ -n "$root" ] || ! id -u callbox >/dev/null 2>&1 || change "remove the user callbox" userdel callbox
  [ "$changes" = 0 ] || ! has_systemd || change "let systemd forget it" control daemon-reload
  say "Games and settings ($data, $etc) are kept. To remove them too: sudo rm -rf $data $etc"
}

finish() {
  if [ -n "$dry" ]; then say "$changes changes would be made; nothing was done."; return; fi
  if [ "$changes" = 0 ]; then say "Nothing to do: everything is as it should be."; return; fi
  [ "$job" = install ] || return 0
  local address
  address=$(hostname -I 2>/dev/null | cut -d' ' -f1 || true)
  say "Callbox is installed. Its console: http://${address:-$(hostname).local}:8080"
  say "If anything is missing: /opt/callbox/.venv/bin/callbox doctor"
}

# One installer at a time; the one that a start of the Pi begins waits for its turn.
wait_turn() {
  [ -z "$dry" ] || return 0
  mkdir -p "$root/run" && exec 9>"$root/run/callbox-install.lock"
  flock -w 600 9 || fail "another installation has been running for ten minutes. See what it waits for, then try again."
}

main() {
  arguments "$@"
  check_machine
  wait_turn
  case $job in
    install) packages; user; update; trust; spi; config; [ -n "$root" ] || machine; service; see_whether_well ;;
    uninstall) remove ;;
    roll-back) change "go back to the release before" go_back ;;
    prove) prove; exit ;;
  esac
  finish
}

# On one line: what is read already goes on when a release, and this script with it, is put away.
main "$@"; exit
