#!/usr/bin/env bash
# From a clean clone to the first pictures: installs what is missing, builds vela, runs scenes/quickstart.json.
# usage: tools/demo.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tools/setup.sh
cmake --preset release
cmake --build --preset release --target vela
build/release/vela run scenes/quickstart.json -o out/quickstart

shopt -s nullglob
images=(out/quickstart/images/*.png)
echo
if [ ${#images[@]} -gt 0 ]; then
  echo "${#images[@]} images: $PWD/out/quickstart/images/"
  echo "the last one:  $PWD/${images[-1]}"
else
  echo "no images were written (see the messages above); the run is in $PWD/out/quickstart/"
fi
