# shellcheck shell=bash disable=SC2154 # install.sh has set what is not set here
# A release of Callbox on a box: is it whole and from whom, make it ready beside the one that runs, try it, change over,
# go back. Sourced by install.sh, which has say, fail, change, root, app, etc, data, dry.
#
#   /opt/callbox/releases/NAME     a release with a virtual environment of its own; .whole is written last
#   /opt/callbox/current           leads to the one that runs: it is what a change-over changes, in one rename
#   /opt/callbox/previous          leads to the one before
#   /opt/callbox/unproven          there while a release that was changed over to has not been seen well
#
# Until the change-over nothing that outlives a power cut is different for the box that runs: the release is tried as a
# service of its own, which systemd forgets at the next start, on a copy of the journal.

# Where this script stands: what it runs to check a release is from here, and never out of that release.
tools=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
releases=$app/releases
rooms=(device vision engine calibration models systemd docs pyproject.toml requirements.lock README.md CHANGELOG.md LICENSE)
namespace=callbox-release
trial_unit=$root/run/systemd/system/callbox-trial.service
trial_data=$root/var/lib/callbox-trial
trial_port=8079
room_mb=900
unpacked_mb=2000 # no release is larger; what unpacks to more is meant to fill the card

# For update.sh, which tells a page: the step that is being done, and of which version.
step() { [ -z "${CALLBOX_STEP:-}" ] || printf '%s\n' "$*" >"$CALLBOX_STEP"; }

# ------------------------------------------------------------------------------------------------ what a release is

# Every file of a release with its content, as MANIFEST has them: programs, networks, papers. The wheelhouse is not among
# them: requirements.lock is, and has the hash of every package.
list_files() {
  (cd "$1" && { find "${rooms[@]}" -type f ! -path '*/__pycache__/*' ! -path 'device/languages/compiled/*' -print0 2>/dev/null ||
    true; } | LC_ALL=C sort -z | xargs -0 -r sha256sum) # not every release has every room
}

# What a release is, as one number: every file's content and name.
fingerprint() { [ -d "$1" ] && list_files "$1" | sha256sum | cut -d' ' -f1; }

version() { sed -n 's/^version = "\([0-9A-Za-z.]*\)"$/\1/p' "$1/pyproject.toml" | head -1; }

# Whether folder $1 is one that this installer made ready on the box.
is_installed() { [ -d "$releases" ] && [ "$(cd "$1/.." && pwd -P)" = "$(cd "$releases" && pwd -P)" ]; }

# Whether the release in folder $1 is whole, and made by somebody whom this box trusts.
check_release() {
  local links differ installed=''
  step check
  links=$(cd "$1" && find "${rooms[@]}" wheelhouse -type l 2>/dev/null | head -3) || true
  [ -z "$links" ] || fail "the release has links where only files belong: $links. Fetch it again."
  if [ ! -e "$1/MANIFEST" ]; then
    step sign
    [ ! -e "$etc/signers" ] || [ -n "$unsigned" ] ||
      fail "this folder has no MANIFEST, so nobody vouches for it, and this box takes signed releases ($etc/signers)." \
        "Fetch a signed release; or, if you trust this folder: --unsigned"
    return 0
  fi
  ! is_installed "$1" || installed=--installed
  differ=$(python3 -IB "$tools/check_files.py" $installed "$1") ||
    fail "the release is damaged or was changed: not as its MANIFEST says:" \
      "${differ//$'\n'/ }. Nothing was done; fetch it again."
  [ -n "$unsigned" ] || check_signature "$1"
}

check_signature() {
  local signers=$etc/signers
  step sign
  if [ ! -e "$signers" ]; then
    signers=$1/systemd/signers
    [ -e "$signers" ] || return 0
    say "note: no signer is trusted yet. This release's own is taken, and from now on no other."
  fi
  command -v ssh-keygen >/dev/null || fail "ssh-keygen is missing, which checks signatures: sudo apt install openssh-client"
  is_signed "$1" "$signers" ||
    fail "the release is not signed by anybody in $signers. Nothing was done; fetch it from where you got the first one."
}

# Whether the release in folder $1 was signed by anybody in the file $2. ssh-keygen does it, and no signify, minisign or
# PyNaCl: it is on every box before the first package is, and its file of signers can name several.
is_signed() {
  ssh-keygen -Y verify -q -f "$2" -I callbox -n $namespace -s "$1/MANIFEST.sig" <"$1/MANIFEST" >/dev/null 2>&1
}

# A release that was vouched for may name who vouches for the next one.
trust() {
  [ -e "$source_dir/MANIFEST.sig" ] && [ -e "$source_dir/systemd/signers" ] && [ -z "$unsigned" ] || return 0
  cmp -s "$source_dir/systemd/signers" "$etc/signers" ||
    change "trust releases that are signed by $(cut -d' ' -f3-4 "$source_dir/systemd/signers" | head -1)" keep_signers
}

keep_signers() {
  mkdir -p "$etc" && install -m 644 "$source_dir/systemd/signers" "$etc/signers.new" && mv "$etc/signers.new" "$etc/signers"
}

unpack() {
  gzip -dcf "$1" 2>/dev/null | head -c "$((unpacked_mb * 1024 * 1024))" |
    tar --no-same-owner --strip-components=1 -x -C "$2" 2>/dev/null
}

# --from: unpacks the archive or takes the folder, checks it by this box's own script and key, and only then lets the
# release's own script do the rest.
hand_over() {
  local from=$1 folder=$1; shift
  [ -e "$from" ] || fail "there is no $from."
  if [ -f "$from" ]; then
    folder=$(mktemp -d /var/tmp/callbox-release.XXXXXX)
    # shellcheck disable=SC2064 # the folder of now
    trap "rm -rf '$folder'" EXIT
    step unpack
    unpack "$from" "$folder" || fail "$from cannot be unpacked; it is broken or no release. Fetch it again."
  fi
  [ -x "$folder/systemd/install.sh" ] || fail "there is no release in $from."
  folder=$(cd "$folder" && pwd -P)
  check_release "$folder"
  "$folder/systemd/install.sh" "$@"
  exit
}

# ------------------------------------------------------------------------------------------- ready beside the other

running() { [ -L "$app/$1" ] && readlink "$app/$1" | sed 's|^releases/||'; }

# The name under which the source is made ready: not that of a release which is in use, even if that one is damaged.
new_name() {
  local base name
  base=$(version "$source_dir")-$(fingerprint "$source_dir" | cut -c1-10)
  for name in "$base" "$base-b" "$base-c"; do
    case $name in "$(running current)" | "$(running previous)") ;; *) break ;; esac
  done
  printf '%s' "$name"
}

# What the venv is made from.
venv_mark() {
  python3 -V
  (cd "$1" && sha256sum requirements.lock pyproject.toml)
}

is_whole() { [ "$(venv_mark "$1" 2>/dev/null)" = "$(cat "$1/.whole" 2>/dev/null)" ]; }

# Whether what runs is this very release, with every file as it was.
is_current() {
  [ -n "$(running current)" ] && is_whole "$app/current" &&
    [ "$(fingerprint "$source_dir")" = "$(fingerprint "$app/current")" ]
}

check_room() {
  local free
  mkdir -p "$releases" && free=$(df --output=avail -BM "$releases" | tail -1 | tr -dc 0-9) || return
  [ "$free" -ge "$room_mb" ] && return
  say "$free MB are free for $releases, and a release takes $room_mb: sudo apt clean, or a larger card."
  return 1
}

make_release() {
  check_room && fill_release "$releases/$1" && return
  rm -rf "${releases:?}/$1"
  return 1
}

fill_release() {
  local folder=$1 room
  rm -rf "$folder" && mkdir "$folder" || return
  for room in "${rooms[@]}" MANIFEST MANIFEST.sig; do
    [ ! -e "$source_dir/$room" ] || cp -r "$source_dir/$room" "$folder/$room" || return
  done
  find "$folder" -name __pycache__ -prune -exec rm -rf {} + || return
  chmod -R u=rwX,go=rX "$folder" || return
  [ "$(fingerprint "$folder")" = "$(fingerprint "$source_dir")" ] || {
    say "what was written to $folder is not what was read from $source_dir: the card is failing, or full."
    return 1
  }
  make_venv "$folder" && compile "$folder" || return
  # The files first, then the word that they are all there.
  sync -f "$folder" && venv_mark "$folder" >"$folder/.whole" && sync -f "$folder"
}

# The box's user may write nothing there, so each start would compile all of it again.
compile() {
  (cd "$1" && .venv/bin/python -m device.languages.compile &&
    .venv/bin/python -m compileall -q device vision engine calibration models)
}

# The venv sees the system's packages for lgpio and spidev alone: they have no wheels that work everywhere. What the
# lock file names is installed in the venv and comes first. Where there is a wheelhouse, no network is asked.
make_venv() {
  local pip=("$1/.venv/bin/python" -m pip --disable-pip-version-check install --quiet) index=()
  [ ! -d "$source_dir/wheelhouse" ] || index=(--no-index --find-links "$source_dir/wheelhouse")
  python3 -m venv --system-site-packages "$1/.venv" || return
  "${pip[@]}" "${index[@]}" --ignore-installed --require-hashes --only-binary :all: -r "$1/requirements.lock" || {
    say "The packages of this release cannot be had; the box stays as it was. Is the network there? Without one it takes" \
      "a wheelhouse: docs/running.md."
    return 1
  }
  "${pip[@]}" --no-index --no-deps --no-build-isolation --editable "$1"
}

# ----------------------------------------------------------------------------------------------------------- trying

# callbox health of the release in folder $1; more words are its options.
health() {
  local folder=$1; shift
  "$folder/.venv/bin/callbox" health --config "$etc/callbox.toml" "$@"
}

# What a healthy box is asked for: pictures, unless the box that runs had none either, or nobody wants them.
wanted() {
  if [ -n "$blind" ]; then printf '%s' --without-pictures; return; fi
  [ -n "$(running current)" ] && ! health "$app/current" --within 8 >/dev/null 2>&1 &&
    health "$app/current" --within 8 --without-pictures >/dev/null 2>&1 && printf '%s' --without-pictures
  true
}

# The release's own service, but: beside the other one's folders, without pins, seen from this machine alone. Whenever
# it ends, and however, the box itself goes on.
write_trial() {
  mkdir -p "$(dirname "$trial_unit")" || return
  sed -e "s|^ExecStart=/opt/callbox/current/\(.*\)|ExecStart=/opt/callbox/releases/$1/\1 --host 127.0.0.1 --port $trial_port|" \
    -e 's/^\(StateDirectory\|RuntimeDirectory\)=callbox$/&-trial/' \
    -e 's|/run/callbox|&-trial|g' -e 's|HOME=/var/lib/callbox|&-trial|' \
    -e 's/GPIOZERO_PIN_FACTORY=lgpio/GPIOZERO_PIN_FACTORY=mock/' \
    -e 's/^Restart=.*/Restart=no/' -e '/^\[Install\]/,$d' \
    -e 's|^\[Unit\]|&\nConflicts=callbox.service|' \
    -e 's|^\[Service\]|&\nRuntimeMaxSec=600\nExecStopPost=+/bin/systemctl start --no-block callbox|' \
    "$releases/$1/systemd/callbox.service" >"$trial_unit"
}

# What the owner of the box has put beside its unit holds for the trial, too; but not another program.
write_drop_ins() {
  local each
  mkdir -p "$trial_unit.d" || return
  for each in "$units"/callbox.service.d/*.conf; do
    [ ! -e "$each" ] || sed '/^ExecStart=/d' "$each" >"$trial_unit.d/${each##*/}" || return
  done
}

copy_journal() {
  rm -rf "$trial_data" && mkdir -p "$trial_data" || return
  [ ! -d "$data" ] || find "$data" -maxdepth 1 -type f -exec cp -p {} "$trial_data/" \; || return
  [ -n "$root" ] || chown -R callbox:callbox "$trial_data"
}

end_trial() {
  control stop callbox-trial || true
  rm -rf "$trial_unit" "$trial_unit.d" "$trial_data"
  control daemon-reload
  control start callbox || true # the one that is current now; also where somebody broke the trial off
}

# Starts the release in $1 on a copy of the journal and looks whether it is well. The other words go to health.
try_release() {
  local name=$1 well=''; shift
  trap end_trial EXIT
  trap 'exit 1' HUP INT TERM
  write_trial "$name" && write_drop_ins && control daemon-reload && control stop callbox && copy_journal &&
    control start callbox-trial && health "$releases/$name" --host 127.0.0.1 --port $trial_port --within "$patience_s" "$@" &&
    well=1
  end_trial
  trap - EXIT HUP INT TERM
  [ -z "$well" ] || return 0
  rm -rf "${releases:?}/$name"
  say "The new release is not well, so the box goes on with the one that it had. Nothing was changed." \
    "What it said: journalctl -u callbox-trial. If only pictures are missing, and the camera is not there yet: --without-pictures"
  return 1
}

# ------------------------------------------------------------------------------------------- changing over, and back

# point LINK NAME: one rename; before it the link leads to the old place, after it to the new one
point() {
  rm -f "$app/$1.new" && ln -s "releases/$2" "$app/$1.new" && mv -T "$app/$1.new" "$app/$1" && sync -f "$app"
}

change_over() {
  local before
  before=$(running current)
  printf '%s\n' "$2" >"$app/unproven" && sync "$app/unproven" || return
  [ -z "$before" ] || point previous "$before" || return
  point current "$1" && control daemon-reload
}

are_linked() {
  local link
  for link in .venv device docs; do [ "$(readlink "$app/$link")" = "current/$link" ] || return; done
  for link in callbox callbox-prove; do
    [ "$(readlink "$units/$link.service")" = "/opt/callbox/current/systemd/$link.service" ] || return
  done
}

# The units, which change over with current; and the addresses by which people know program, settings and papers.
place_links() {
  local link
  for link in callbox callbox-prove; do link_unit "$link" || return; done
  for link in .venv device docs; do
    [ "$(readlink "$app/$link")" = "current/$link" ] && continue
    rm -rf "${app:?}/$link" && ln -s "current/$link" "$app/$link" || return
  done
  control daemon-reload
}

link_unit() {
  local at=$units/$1.service
  [ "$(readlink "$at")" != "/opt/callbox/current/systemd/$1.service" ] || return 0
  mkdir -p "$units" && rm -f "$at.new" && ln -s "/opt/callbox/current/systemd/$1.service" "$at.new" &&
    mv -T "$at.new" "$at" && sync -f "$units"
}

go_back() {
  local bad good
  bad=$(running current) good=$(running previous)
  [ -n "$good" ] || fail "there is no release to go back to."
  point current "$good" && control daemon-reload || return
  if ! begin restart || ! health "$app/current" --within "$patience_s" --without-pictures >/dev/null; then
    say "The release before, $good, is not well either. journalctl -u callbox, or callbox doctor, says why."
    rm -f "$app/unproven"
    return 1
  fi
  rm -f "$app/unproven" "$app/previous"
  say "The box runs $good again; $bad is kept in $releases until the next update. journalctl -u callbox says more."
}

# start or restart: also a box that fell so often that systemd has given it up.
begin() { { control reset-failed callbox || true; } && control "$1" callbox; }

# After a change-over, and after a power cut in the midst of one: is the box well? Status 1: no, and there is nothing
# to go back to; 2: no, and it went back.
prove() {
  [ -e "$app/unproven" ] && has_systemd || return 0
  local options
  options=$(cat "$app/unproven")
  # shellcheck disable=SC2086 # one option or none
  if health "$app/current" --within "$patience_s" $options; then
    rm -f "$app/unproven" && sweep
    return
  fi
  [ -n "$(running previous)" ] || { rm -f "$app/unproven"; return 1; }
  say "The new release is not well as a service, though it was when it was tried; so the box goes back."
  go_back || true
  return 2
}

# The releases that nobody runs, and what an installation before releases left.
sweep() {
  local each
  for each in "$releases"/*; do
    case ${each##*/} in "$(running current)" | "$(running previous)") ;; *) rm -rf "$each" ;; esac
  done
  for each in "${rooms[@]}" callbox.egg-info; do
    [ -L "$app/$each" ] || rm -rf "${app:?}/$each"
  done
}
