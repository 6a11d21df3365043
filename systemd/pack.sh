#!/usr/bin/env bash
# Packs what git has at HEAD as a release: TO/callbox-VERSION.tar.gz (TO: dist). Run by `make release`.
#
#   systemd/pack.sh [--key FILE] [--wheelhouse FOLDER] [TO]
#
# --key FILE           sign with this key, made with: ssh-keygen -t ed25519 -C 'Callbox releases' -f FILE
#                      (FILE.pub has to be there; with a key that stands in an agent or a stick, FILE.pub alone will do)
# --wheelhouse FOLDER  pack the packages, too, for boxes without a network
#
# Who may sign stands in systemd/signers. Where git has no such file, the release names its own key there, and boxes that
# take it as their first one trust that key from then on.
set -euo pipefail

source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
app=none etc=none data=none root=none # nothing of a box is touched here
# shellcheck source=systemd/release.sh
. "$source_dir/systemd/release.sh"

say() { printf '%s\n' "$*"; }
fail() { printf 'pack: %s\n' "$*" >&2; exit 1; }

key='' wheelhouse='' to=dist
while [ $# -gt 0 ]; do
  case $1 in
    --key) key=${2:?--key wants a file}; key=${key%.pub}; shift ;;
    --wheelhouse) wheelhouse=$(cd "${2:?--wheelhouse wants a folder}" && pwd -P) || fail "there is no $2: make wheelhouse"; shift ;;
    -*) fail "unknown option $1." ;;
    *) to=$1 ;;
  esac
  shift
done

# What lies in the folder and not in git would be missing from the release, or be in it without anybody having seen it.
check_clean() {
  local changed
  changed=$(git -C "$source_dir" status --porcelain -- "${rooms[@]}" | head -3)
  [ -z "$changed" ] || fail "these files are not as git has them; commit or remove them first:"$'\n'"$changed"
}

name_signer() {
  local public=$key.pub
  [ -f "$public" ] || fail "there is no $public beside the key."
  [ -e "$1/systemd/signers" ] || printf 'callbox namespaces="%s" %s\n' $namespace "$(cat "$public")" >"$1/systemd/signers"
}

sign() {
  local with=$key
  [ -e "$key" ] || with=$key.pub
  ssh-keygen -Y sign -q -f "$with" -n $namespace "$1/MANIFEST"
  is_signed "$1" "$1/systemd/signers" || fail "this key is not one of those in systemd/signers, so no box would take the release."
}

pack() {
  local work=$1 name folder present=() room
  name=callbox-$(version "$source_dir")
  folder=$work/$name
  check_clean
  mkdir "$folder"
  for room in "${rooms[@]}"; do ! git -C "$source_dir" cat-file -e "HEAD:./$room" 2>/dev/null || present+=("$room"); done
  git -C "$source_dir" archive HEAD -- "${present[@]}" | tar -x -C "$folder"
  [ -z "$key" ] || name_signer "$folder"
  list_files "$folder" >"$folder/MANIFEST"
  python3 -IB "$tools/check_files.py" "$folder" >/dev/null || fail "these files cannot be packed; a name is a release's" \
    "without backslashes and control characters: $(python3 -IB "$tools/check_files.py" "$folder" | head -3)"
  [ -z "$key" ] || sign "$folder"
  [ -z "$wheelhouse" ] || cp -r "$wheelhouse" "$folder/wheelhouse"
  mkdir -p "$to"
  # The same commit and key make the same archive, wherever and whenever.
  tar --sort=name --mtime="@$(git -C "$source_dir" log -1 --format=%ct)" --owner=0 --group=0 --numeric-owner \
    --mode=u=rwX,go=rX -C "$work" -cf - "$name" | gzip -n >"$to/$name.tar.gz"
  if [ -n "$key" ]; then say "$to/$name.tar.gz, signed"; else say "$to/$name.tar.gz, signed by nobody: KEY=FILE signs it"; fi
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pack "$work"
