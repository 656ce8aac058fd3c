#!/bin/sh
# Builds the image `acesaround` from this repository, runs it once and looks whether it serves.
#   deploy/image.sh [NAME]
# Where nothing can build images it says so and ends with status 3.
set -eu
cd "$(dirname "$0")/.."
name=${1:-acesaround}

builder=""
for one in docker podman; do
  if command -v "$one" >/dev/null 2>&1 && "$one" info >/dev/null 2>&1; then builder=$one; break; fi
done
if [ -z "$builder" ]; then
  echo "There is no builder of images here: neither docker nor podman answers." >&2
  exit 3
fi

echo "Building $name with $builder ..."
DOCKER_BUILDKIT=1 "$builder" build --tag "$name" --file deploy/Dockerfile .

# As deploy/compose.yml runs it: nothing can be written but the two folders.
ran=$("$builder" run --detach --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges \
  --publish 127.0.0.1::8000 "$name")
trap '"$builder" rm --force --volumes "$ran" >/dev/null' EXIT
address=$("$builder" port "$ran" 8000/tcp | head -n 1)
tries=60
until python3 - "$address" 2>/dev/null <<'ASK'
import sys, urllib.request
for path in ("/health", "/"):
    with urllib.request.urlopen(f"http://{sys.argv[1]}{path}", timeout=5) as answer:
        assert answer.status == 200, answer.status
ASK
do
  tries=$((tries - 1))
  if [ "$tries" = 0 ]; then
    echo "The image does not serve:" >&2
    "$builder" logs "$ran" >&2
    exit 1
  fi
  sleep 1
done
"$builder" exec "$ran" id -u | grep -qx 10001 || { echo "It runs as somebody else than it should." >&2; exit 1; }
echo "$name serves, with its page."
