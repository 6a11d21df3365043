#!/usr/bin/env bash
# Runs as root in a container with a systemd of its own and no network: a bare Debian gets Callbox from a wheelhouse, then
# good and bad releases. The camera is the simulated table, for the container has none.
set -e
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
trap 'journalctl --no-pager -u callbox -u callbox-trial -n 40' ERR
tell() { echo "== $(cut -d. -f1 /proc/uptime) s: $*"; }

mkdir -p /etc/callbox /etc/systemd/system/callbox.service.d
printf '[camera]\nspec = "table"\nfps = 5\n[table]\nno_picture_ms = 60000\n' > /etc/callbox/callbox.toml
# The owner's own settings hold for a trial, too; a busy machine is slow, and slowness is no failure.
printf '[Service]\nTimeoutStartSec=900\nTimeoutStopSec=900\nWatchdogSec=900\n' > /etc/systemd/system/callbox.service.d/slow.conf
export CALLBOX_PATIENCE_S=900

# release VERSION PACKAGE...: a copy of the project, with the wheelhouse, whose lock file names these packages alone (all of
# them: *). What it does not name it finds where the rig has put it, so that a release takes seconds.
release() {
  local made=/root/release-$1 version=$1; shift
  mkdir "$made"
  cp -r device vision engine calibration models systemd docs pyproject.toml README.md LICENSE CHANGELOG.md wheelhouse "$made/"
  sed -i "s/^version = .*/version = \"$version\"/" "$made/pyproject.toml"
  cp requirements.lock "$made/"
  [ "$1" = '*' ] || awk -v wanted="$*" 'BEGIN { split(wanted, names, " "); for (i in names) want[names[i]] }
    /^[a-z]/ { split($1, name, "=="); on = name[1] in want } on' requirements.lock > "$made/requirements.lock"
}
install() { local made=/root/release-$1; shift; "$made/systemd/install.sh" "$@" 2>&1 | tee /root/said; return "${PIPESTATUS[0]}"; }
refused() { if install "$@"; then echo "it was not refused"; false; fi; }
plays() {
  [ "$(systemctl is-active callbox)" = active ]
  tr '\0' '\n' < /proc/"$(systemctl show callbox -p MainPID --value)"/cmdline | grep -q "^/opt/callbox/releases/$1-"
  [[ $(readlink /opt/callbox/current) = releases/$1-* ]]
  /opt/callbox/.venv/bin/callbox health --config /etc/callbox/callbox.toml --within 900
  python3 -c "import urllib.request as u; u.urlopen('http://127.0.0.1:8080/', timeout=900)"
}

release 1.0 '*'
tell "a bare Debian, offline: every package from the wheelhouse"
install 1.0
plays 1.0
tell "again: nothing to do"
install 1.0
grep -qx "Nothing to do: everything is as it should be." /root/said

/opt/venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))' > /usr/lib/python3/dist-packages/rig.pth
few=(setuptools pynacl cffi pycparser)
tell "a new package, and no network: refused"
release 1.1 "${few[@]}" segno
rm /root/release-1.1/wheelhouse/segno-*
refused 1.1
grep -q "the box stays as it was" /root/said
plays 1.0
tell "a release that does not start: refused when it is tried"
release 1.2 "${few[@]}"
sed -i '1a raise ImportError("a library of this release is broken")' /root/release-1.2/device/commands/play.py
refused 1.2
grep -q "the box goes on with the one that it had" /root/said
plays 1.0
tell "a release that falls only as a service, again and again: rolled back"
release 1.3 "${few[@]}"
sed -i '1a import os\nif os.environ.get("GPIOZERO_PIN_FACTORY") == "lgpio": raise ImportError("pins")' /root/release-1.3/device/commands/play.py
CALLBOX_PATIENCE_S=90 refused 1.3
grep -q "The box runs 1.0-.* again" /root/said
plays 1.0
systemctl show callbox -p NRestarts
tell "a network that was altered: refused"
release 1.5 "${few[@]}"
(cd /root/release-1.5 && find device vision engine calibration models systemd docs pyproject.toml requirements.lock README.md \
  CHANGELOG.md LICENSE -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum > MANIFEST)
printf x >> /root/release-1.5/models/faces.onnx
refused 1.5
grep -q "not as its MANIFEST says: models/faces.onnx. Nothing was done" /root/said
plays 1.0
tell "a good release: changed over, and the old one is kept"
release 1.4 "${few[@]}"
install 1.4
plays 1.4
[[ $(readlink /opt/callbox/previous) = releases/1.0-* ]]
[ ! -e /opt/callbox/unproven ]
tell "people go back"
install 1.4 --roll-back
plays 1.0
tell "uninstalled: nothing but the data"
install 1.0 --uninstall
if systemctl cat callbox || id callbox; then false; fi 2> /dev/null
find /opt/callbox /etc/callbox /var/lib/callbox* /run/systemd/system/callbox* -type f 2>/dev/null | sort
[ ! -e /opt/callbox ] && [ ! -e /var/lib/callbox-trial ] && [ -e /var/lib/callbox/journal.db ] && [ -e /etc/callbox/callbox.toml ]
echo ok
