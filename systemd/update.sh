#!/usr/bin/env bash
# Does what the page Maintenance has handed over: installs the release that it took in, or goes back to the one before.
# Started as root by callbox-update.path. The box itself has no right over the machine: it leaves a file in its own
# folder under /run, and reads how it goes in another folder, where only root writes.
#
#   /run/callbox/install, roll-back    what is asked for; the release is /var/lib/callbox/update/release.tar.gz
#   /run/callbox-update/job            what is being done
#   /run/callbox-update/step           where install.sh is (`step` in release.sh)
#   /run/callbox-update/said           what install.sh says
#   /run/callbox-update/result         its exit status, written last
# shellcheck disable=SC2329 # a trap calls finish
set -euo pipefail

root=${CALLBOX_ROOT:-}
asked=$root/run/callbox
state=$root/run/callbox-update
release=$root/var/lib/callbox/update/release.tar.gz
installer=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)/install.sh
status=1

finish() {
  rm -f "$release"
  printf '%s\n' "$status" >"$state/result"
}

# Whoever reaches the page is no reason to trust a maker for the first time: that is done at the box.
install_release() {
  if [ ! -e "$root/etc/callbox/signers" ]; then
    printf 'install: no signer is trusted yet, so nothing is taken from a page.\n'
    return 1
  fi
  "$installer" --from "$release"
}

main() {
  local job=install
  [ ! -e "$asked/roll-back" ] || job=roll-back
  rm -rf "$asked/install" "$asked/roll-back"
  mkdir -p "$state"
  rm -f "$state/job" "$state/step" "$state/said" "$state/result"
  printf '%s\n' "$job" >"$state/job"
  trap finish EXIT
  export CALLBOX_STEP=$state/step
  if [ $job = install ]; then
    install_release && status=0 || status=$?
  else
    "$installer" --roll-back && status=0 || status=$?
  fi </dev/null >"$state/said" 2>&1
}

# On one line, as in install.sh: the release that this script is of may be put away meanwhile.
main "$@"; exit
