#!/bin/bash
# Teaches finder, face reader, stance network and D4 network more, from their files, on a machine with a CUDA
# card and many cores that is there for some minutes and has no network:
#     models/training/gpu_run.sh PACK OUT [MINUTES]
# PACK (tar) holds what came along, as it lies beside the project and in the home folder:
#     sources=$(python -c 'from models.training.photos import SOURCES; print(*SOURCES)')
#     tar -cf PACK -C .. --exclude damiantab $(printf ' shared/photos/%s' $sources) shared/backgrounds \
#         -C ~ .cache/callbox/models/finds
# These are 47 MiB; with the 80 large photographs of damiantab they were 66. `finds`, what the networks see
# in photographs, is kept by `python -m models.training.train cuts`, and saves a minute. Without photographs
# finder and face reader learn from drawn scenes alone, and forget a little of real dice. Scenes and
# checkpoints (.cache/callbox/models/scenes, courses) may come along, too. Wheels in .whl are unpacked first.
# Scenes are drawn on all cores while the four learn side by side, in two rounds: the second goes on with what
# was drawn meanwhile. OUT gets, every two minutes, the networks (ONNX), the checkpoints (courses.tar) and
# the log. All end after MINUTES (11), or one more at most. Without a card it does the same, slowly.
set -eum
pack=$(realpath "$1") out=$(realpath -m "$2") minutes=${3:-11}
begun=$(date +%s)
cd "$(dirname "$0")/../.."
python=${PYTHON:-python3} cores=$(nproc)
work=$(mktemp -d)
mkdir -p "$out" "$work/callbox"
if [ -d .whl ]; then
  "$python" -m pip install -q --no-index --no-deps --no-compile --target "$work/site" .whl/*.whl
  export PYTHONPATH="$work/site${PYTHONPATH:+:$PYTHONPATH}"
fi
cp -r ./*/ "$work/callbox"  # the photographs are looked for beside it
tar -xf "$pack" -C "$work"
cd "$work/callbox"
export HOME="$work" PYTHONPATH="$work/callbox${PYTHONPATH:+:$PYTHONPATH}" OMP_NUM_THREADS=1 PYTHONUNBUFFERED=1
log="$out/log" courses="$work/.cache/callbox/models/courses"
sizes="finder=8 faces=64 stance=64 d4=64"
"$python" -c 'import sys, torch; sys.exit(not torch.cuda.is_available())' \
  && sizes="finder=32 faces=512 stance=256 d4=512"

left() { echo $((begun + minutes * 60 - $(date +%s))); }
keep() { [ ! -d "$courses" ] || tar -cf "$out/courses.tar" -C "$courses" --exclude '*.part' . || true; }
teach() {  # NETWORK SIZE; of each round one minute is for loading and writing
  for round in 2 1; do
    "$python" -m models.training.go_on "$1" --out "$out" --size "$2" --steps 1000000 --threads 1 \
      --minutes "$("$python" -c "print(max($(left) / $round / 60 - 1, 0.1))")" || return
  done
}

timeout "$((minutes * 60))" "$python" -m models.training.draw_all --first --threads "$cores" >>"$log" 2>&1 || true
nice -n 10 "$python" -m models.training.draw_all --threads "$cores" >>"$log" 2>&1 &
drawing=$! learners=
for each in $sizes; do
  teach "${each%=*}" "${each#*=}" >>"$log" 2>&1 &
  learners="$learners $!"
done
learning() { for one in $learners; do if kill -0 "$one" 2>/dev/null; then return 0; fi; done; return 1; }
kept=$(date +%s)
while learning && [ "$(left)" -gt -60 ]; do
  sleep 1
  if [ $(($(date +%s) - kept)) -ge 120 ]; then keep; kept=$(date +%s); fi
done
for one in $learners $drawing; do kill -- "-$one" 2>/dev/null || true; done
wait
keep
rm -rf "$work" "$out"/draft-*
ls -l "$out"
