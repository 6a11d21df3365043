#!/bin/bash
# Teaches the eye for some minutes on a borrowed machine with a CUDA card and many cores, without a network:
#     models/training/gpu_run.sh PACK OUT [MINUTES [COURSE...]]
# PACK holds the photographs' cuts (`python -m models.training.eye_course pack --pack PACK`). Scenes are drawn on
# all cores but two while the courses learn side by side on the card, in bf16. OUT gets, every two minutes, of
# each course the log, the mean weights (to go on from: `learn --begin`) and the network (ONNX). It ends by
# itself after MINUTES (12). Wheels in .whl are unpacked first. Without a card it does the same, slowly.
set -eum
pack=$(realpath "$1") out=$(realpath -m "$2") minutes=${3:-12}
shift $(($# < 3 ? $# : 3))
begun=$(date +%s)
cd "$(dirname "$0")/../.."
python=${PYTHON:-python3}
work=$(mktemp -d)
mkdir -p "$out"
if [ -d .whl ]; then
  "$python" -m pip install -q --no-index --no-deps --no-compile --target "$work/site" .whl/*.whl
  export PYTHONPATH="$work/site${PYTHONPATH:+:$PYTHONPATH}"
fi
export OMP_NUM_THREADS=1 PYTHONUNBUFFERED=1
course() { "$python" -m models.training.eye_course "$@" --folder "$work"; }

cores=$(nproc)
card=$("$python" -c 'import torch; print(int(torch.cuda.is_available()))')
size=64 rate=0.0015
[ "$card" = 1 ] && size=1024 rate=0.004
if [ "${SCENES:-}" ]; then  # drawn before, as on a machine too slow to draw them meanwhile
  cp -r "$SCENES" "$work/scenes"
else
  course scenes --shards 2000 --threads $((cores > 3 ? cores - 2 : 1)) >"$out/scenes.log" 2>&1 &
  scenes=$!
fi
course unpack --pack "$pack"
learners=
for name in "${@:-upper}"; do
  left=$("$python" -c "import time; print(max($minutes - 0.7 - (time.time() - $begun) / 60, 0.1))")
  course learn "$name" --minutes "$left" --steps 1000000 --size "$size" --rate "$rate" --look-every 110 \
    >"$out/$name.log" 2>&1 &
  learners="$learners $!"
done
end=$((begun + minutes * 60))
while [ "$(date +%s)" -lt "$end" ]; do
  sleep 5
  for file in "$work"/*.onnx "$work"/*.mean "$work"/*.log; do
    if [ -f "$file" ]; then cp "$file" "$out/"; fi
  done
  running=
  for one in $learners; do if kill -0 "$one" 2>/dev/null; then running=1; fi; done
  [ "$running" ] || break
done
for one in $learners ${scenes:-}; do kill -- "-$one" 2>/dev/null || true; done
rm -rf "$work"
ls -l "$out"
