#!/usr/bin/env bash
# Installs Callbox on Raspberry Pi OS Lite 64-bit (Bookworm or Trixie) from the folder it stands in.
#
#   sudo systemd/install.sh [--dry-run] [--uninstall]
#
# May be run again at any time: what is right already is left alone, and a second run changes nothing.
# --dry-run    say what would be done, change nothing (needs no root)
# --uninstall  take service and program away; games (/var/lib/callbox) and settings (/etc/callbox) stay
#
# CALLBOX_ROOT=FOLDER puts all files below FOLDER, and leaves packages, users and systemd alone (for tests).
set -euo pipefail

source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
root=${CALLBOX_ROOT:-}
app=$root/opt/callbox
etc=$root/etc/callbox
data=$root/var/lib/callbox
unit=$root/etc/systemd/system/callbox.service
rooms=(device vision engine calibration models systemd docs pyproject.toml requirements.lock README.md CHANGELOG.md LICENSE)
dry=''
uninstall=''
changes=0

say() { printf '%s\n' "$*"; }
fail() { printf 'install: %s\n' "$*" >&2; exit 1; }

# change SENTENCE COMMAND...: counts, says and does one change; with --dry-run only says it
change() {
  local sentence=$1; shift
  changes=$((changes + 1))
  if [ -n "$dry" ]; then say "would $sentence"; return; fi
  say "$sentence"
  "$@" || fail "could not $sentence. The lines above say why; mend that and run this again."
}

arguments() {
  while [ $# -gt 0 ]; do
    case $1 in
      --dry-run) dry=1 ;;
      --uninstall) uninstall=1 ;;
      -h | --help) sed -n '2,11s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
      *) printf 'install: unknown option %s. Known: --dry-run, --uninstall, --help.\n' "$1" >&2; exit 2 ;;
    esac
    shift
  done
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

get_packages() { DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@"; }

packages() {
  [ -z "$root" ] || return 0
  local missing=() wanted=() package
  for package in python3-venv python3-picamera2 python3-lgpio python3-spidev; do
    installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  # A fresh card knows of no package yet.
  [ -n "$dry" ] || apt-get update -qq || fail "the lists of packages cannot be fetched. Is the network there?"
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
  for group in video gpio spi; do
    getent group "$group" >/dev/null || change "create the group $group" groupadd --system "$group"
    id -nG callbox 2>/dev/null | tr ' ' '\n' | grep -qx "$group" || change "put callbox into the group $group" \
      usermod -a -G "$group" callbox
  done
}

# What the release is, as one number: every file's content and name.
fingerprint() {
  (cd "$1" 2>/dev/null && find "${rooms[@]}" -type f ! -path '*/__pycache__/*' ! -path '*.egg-info/*' -print0 2>/dev/null |
    LC_ALL=C sort -z | xargs -0 -r sha256sum | sha256sum | cut -d' ' -f1)
}

copy_release() {
  local room
  mkdir -p "$app" || return
  for room in "${rooms[@]}"; do
    rm -rf "${app:?}/$room" || return
    [ ! -e "$source_dir/$room" ] || cp -r "$source_dir/$room" "$app/$room" || return
  done
  (cd "$app" && find "${rooms[@]}" -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null
    chmod -R u=rwX,go=rX "${rooms[@]}" 2>/dev/null) || true
}

release() {
  [ "$source_dir" != "$app" ] || return 0
  [ "$(fingerprint "$source_dir")" = "$(fingerprint "$app")" ] ||
    change "copy this release to $app" copy_release
}

# The venv sees the system's packages for lgpio and spidev alone: they have no wheels that work everywhere. What the
# lock file names is installed in the venv and comes first.
make_venv() {
  local pip=("$app/.venv/bin/python" -m pip install --quiet --disable-pip-version-check)
  rm -rf "$app/.venv" &&
    python3 -m venv --system-site-packages "$app/.venv" &&
    "${pip[@]}" --ignore-installed --require-hashes --only-binary :all: -r "$app/requirements.lock" &&
    "${pip[@]}" --no-deps --no-build-isolation --editable "$app" &&
    venv_mark > "$app/.venv/.callbox"
}

# What the venv was made from. The mark is written last, so a broken-off try is made anew.
venv_mark() {
  python3 -V
  (cd "$source_dir" && sha256sum requirements.lock pyproject.toml)
}

venv() {
  [ "$(venv_mark)" = "$(cat "$app/.venv/.callbox" 2>/dev/null)" ] ||
    change "make the virtual environment $app/.venv with its pinned packages (minutes)" make_venv
}

spi() {
  [ -z "$root" ] && command -v raspi-config >/dev/null || return 0
  [ "$(raspi-config nonint get_spi)" = 0 ] || change "switch SPI on for the scoreboard (works after a restart)" \
    raspi-config nonint do_spi 0
}

write_config() {
  mkdir -p "$etc" || return
  {
    echo "# Settings of this box. All of them, with their meaning, stand in /opt/callbox/device/callbox.toml;"
    echo "# put here only what you want otherwise. Then: sudo systemctl restart callbox"
  } > "$etc/callbox.toml"
  chmod 644 "$etc/callbox.toml"
}

config() { [ -e "$etc/callbox.toml" ] || change "write $etc/callbox.toml" write_config; }

place_unit() { install -D -m 644 "$source_dir/systemd/callbox.service" "$unit"; }
reload() { systemctl daemon-reload; }

service() {
  local fresh=
  cmp -s "$source_dir/systemd/callbox.service" "$unit" || {
    change "install the service $unit" place_unit
    fresh=1
  }
  [ -z "$root" ] || return 0
  [ -z "$fresh" ] || change "let systemd read it" reload
  if ! systemctl is-enabled --quiet callbox 2>/dev/null || ! systemctl is-active --quiet callbox 2>/dev/null; then
    change "start callbox, now and at every start of the Pi" systemctl enable --now callbox
  elif [ "$changes" -gt 0 ]; then
    change "restart callbox" systemctl restart callbox
  fi
}

remove() {
  if [ -z "$root" ] && [ -e "$unit" ]; then change "stop callbox" systemctl disable --now callbox; fi
  [ ! -e "$unit" ] || change "remove $unit" rm -f "$unit"
  [ ! -e "$app" ] || [ "$source_dir" = "$app" ] || change "remove $app" rm -rf "$app"
  [ -n "$root" ] || ! id -u callbox >/dev/null 2>&1 || change "remove the user callbox" userdel callbox
  [ -n "$root" ] || [ "$changes" = 0 ] || change "let systemd forget it" reload
  say "Games ($data) and settings ($etc) are kept. To remove them too: sudo rm -rf $data $etc"
}

finish() {
  if [ -n "$dry" ]; then say "$changes changes would be made; nothing was done."; return; fi
  if [ "$changes" = 0 ]; then say "Nothing to do: everything is as it should be."; return; fi
  [ -z "$uninstall" ] || return 0
  local address
  address=$(hostname -I 2>/dev/null | cut -d' ' -f1 || true)
  say "Callbox is installed. Its console: http://${address:-$(hostname).local}:8080"
  say "If anything is missing: /opt/callbox/.venv/bin/callbox doctor"
}

arguments "$@"
check_machine
if [ -n "$uninstall" ]; then remove; else
  packages; user; release; venv; spi; config; service
fi
finish
