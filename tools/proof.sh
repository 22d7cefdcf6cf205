#!/bin/sh
# What takes hours and is run by hand, on the Vulkan driver that VK_ICD_FILENAMES says, or the machine's own. One failure fails all.
#
#   tools/proof.sh            everything
#   tools/proof.sh contact    every shipped scene with barrier contact, small, on Vulkan in single precision under --verify; jittered
#   tools/proof.sh jittered   shipped scenes on the CPU path, 10 times each with gravity turned and scaled
#   tools/proof.sh pairs      collision detection and distances on the device: 120,000 queries a type against exact arithmetic
#   tools/proof.sh drivers    what tools/test.sh leaves out, on either driver: cases in their other precision, programs
#   tools/proof.sh kills      100 runs with contact killed and resumed
#   tools/proof.sh broken     10,000 broken scenes and meshes, with barrier contact on
set -eu
cd "$(dirname "$0")/.."
what=${1:-all}
failed=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

wanted() {
  [ "$what" = all ] || [ "$what" = "$1" ]
}

prove() {
  echo "=== $*"
  "$@" || { echo "FAILED: $*"; failed=1; }
}

cmake --preset release > "$folder/cmake.log"
cmake --build --preset release > "$folder/build.log" || { tail -20 "$folder/build.log"; exit 1; }

if wanted contact; then
  prove python3 tests/proof/contact_on_vulkan.py build/release/vela "$folder"
fi
if wanted jittered; then
  prove env VELA_TEST_JITTERS=10 ctest --test-dir build/release --output-on-failure -R '^test_jittered_scenes$'
fi
if wanted pairs; then
  prove build/release/tests/test_pairs_device 120000
fi
if wanted drivers; then
  prove env VELA_TEST_WHOLE=1 ctest --test-dir build/release --output-on-failure -j "$(nproc)" \
    -R '^test_vulkan_(contact|damping|friction|limits|scene_proof|solvers|sort|validation)$'
fi
if wanted kills; then
  prove env VELA_TEST_KILLS=100 ctest --test-dir build/release --output-on-failure -R '^test_resume$'
fi
if wanted broken; then
  prove env VELA_FUZZ_BARRIER=1 VELA_FUZZ_COUNT=10000 ctest --test-dir build/release --output-on-failure --timeout 14400 -L bad_input
fi
exit "$failed"
