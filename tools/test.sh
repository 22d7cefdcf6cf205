#!/usr/bin/env bash
# Everything continuous integration runs, in order, up to the first failure. The last line of output counts the tests.
# usage: tools/test.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

passed=0 failed=0 skipped=0
stage="nothing yet"
started=$SECONDS

finish() {
  local status=$?
  trap - EXIT
  if [ $status -ne 0 ]; then
    # A stage that is no test (a build, a check) counts as one failure, so that the line below never looks clean.
    [ "$failed" -gt 0 ] || failed=1
    echo
    echo "FAILED: $stage"
  fi
  echo "took $((SECONDS - started)) s"
  if [ "$skipped" -gt 0 ]; then
    echo "$passed passed, $failed failed, $skipped skipped"
  else
    echo "$passed passed, $failed failed"
  fi
  exit $status
}
trap finish EXIT

begin() {
  stage=$1
  echo
  echo "=== $stage ($((SECONDS - started)) s)"
}

# Configures and builds one variant: build NAME COMPILER BUILD_TYPE "TARGETS" [cmake options]
build() {
  local name=$1 compiler=$2 type=$3 targets=$4
  shift 4
  begin "build: $name ($compiler $type $*)"
  CC=$compiler cmake -S . -B "build/$name" -G Ninja -DCMAKE_BUILD_TYPE="$type" "$@" >"build/$name.log" ||
    { cat "build/$name.log"; return 1; }
  # shellcheck disable=SC2086 # a list of targets
  cmake --build "build/$name" --target $targets >"build/$name.log" 2>&1 || { tail -n 60 "build/$name.log"; return 1; }
  tail -n 1 "build/$name.log"
}

# Runs tests of one variant and counts them: run_tests NAME [ctest options]
run_tests() {
  local name=$1 status=0
  shift
  begin "tests: $name $*"
  local log="build/$name.tests.log"
  ctest --test-dir "build/$name" --output-on-failure -j "$(nproc)" "$@" 2>&1 | tee "$log" | grep -v '^ *Start ' ||
    status=$?
  # " 3/40 Test #12: test_arena .......   Passed    0.02 sec"
  local result='^ *[0-9]+/[0-9]+ +Test +#[0-9]+: '
  passed=$((passed + $(grep -cE "$result.* Passed +[0-9.]+ sec" "$log" || true)))
  skipped=$((skipped + $(grep -cE "$result.*\*\*\*Skipped" "$log" || true)))
  failed=$((failed + $(grep -E "$result" "$log" | grep -vcE ' Passed +[0-9.]+ sec|\*\*\*Skipped' || true)))
  [ $status -eq 0 ] && [ "$failed" -eq 0 ] || return 1
  grep -qE "$result" "$log" || { echo "no test ran: expected some"; return 1; }
}

mkdir -p build
begin "setup"
tools/setup.sh --swiftshader

# As it is shipped but for -g, which changes no instruction and takes a quarter of the compiler's time, and for kernels that this
# processor does not run but to compare bits: those are the same however much is optimized.
slow_kernels="baseline;avx512"
if grep -qw avx512vl /proc/cpuinfo; then
  slow_kernels="baseline;avx2"
elif ! grep -qw avx2 /proc/cpuinfo; then
  slow_kernels="avx2;avx512"
fi
build release gcc Release all -DVELA_RELEASE_FLAGS=-O3 "-DVELA_SLOW_KERNELS=$slow_kernels"
begin "check"
tools/check --no-build
tools/check_symbols.py build/release
# Long parity tests run each of their cases in one precision: all of them by hand (tools/proof.sh drivers).
run_tests release

# The tests that use a GPU once more: another driver, with less (no float64, small workgroups), under a newer validation
# layer that knows hazards between dispatches, whatever runs. It is the slower one, so some tests that others are like run there by hand alone
# (tools/proof.sh drivers).
by_hand='^test_vulkan_(damping|friction|limits|scene_proof)$'
swiftshader=$PWD/build/swiftshader
if [ -e "$swiftshader/vk_swiftshader_icd.json" ]; then
  export VK_ICD_FILENAMES=$swiftshader/vk_swiftshader_icd.json VK_DRIVER_FILES=$swiftshader/vk_swiftshader_icd.json
  if [ -e "$swiftshader/layers" ]; then
    export VK_LAYER_PATH=$swiftshader/layers VK_KHRONOS_VALIDATION_VALIDATE_SYNC=1
    export VK_KHRONOS_VALIDATION_SYNCVAL_SHADER_ACCESSES_HEURISTIC=1 VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation
  fi
  run_tests release -R '^test_(gpu_layer|energy_parity|contact_parity|pairs_device|vulkan_.*|render_image)$' \
    -E "$by_hand"
  unset VK_ICD_FILENAMES VK_DRIVER_FILES VK_LAYER_PATH
  unset VK_KHRONOS_VALIDATION_VALIDATE_SYNC VK_KHRONOS_VALIDATION_SYNCVAL_SHADER_ACCESSES_HEURISTIC VK_INSTANCE_LAYERS
else
  echo "SwiftShader is not there: the tests that use a GPU ran on one driver only"
  skipped=$((skipped + 1))
fi

# The other variants take the shaders that are compiled, and link what is run; both as on other processors, for kernels are the same source with every
# instruction set. What clang warns of does not depend on how much it optimizes, nor does it make code of what nobody runs to tell.
build asan gcc Debug "vela tests_unit tests_bad_input" -DVELA_SHADERS_FROM=build/release -DVELA_SANITIZE=ON \
  -DVELA_PORTABLE=ON
run_tests asan -L '^(unit|bad_input)$'

build clang clang Release "vela tests_unit" -DVELA_SHADERS_FROM=build/release -DVELA_PORTABLE=ON -DVELA_RELEASE_FLAGS=-O1
tools/check_warnings.py build/clang
run_tests clang -L '^unit$'
