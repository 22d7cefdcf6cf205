#!/usr/bin/env bash
# Installs what vela needs to build, test and run. Quick, and without network or root, when everything is there.
# usage: tools/setup.sh [--swiftshader]
#   --swiftshader  also fetches the SwiftShader driver and a newer validation layer into build/swiftshader, for the
#                  tests that want a second Vulkan driver; a failed download is reported and is no error
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packages=(build-essential cmake ninja-build pkg-config git
  libvulkan-dev mesa-vulkan-drivers vulkan-validationlayers glslang-tools spirv-tools
  libcjson-dev libstb-dev
  check libgmp-dev clang libomp-dev clang-format-14 shellcheck python3 python3-jsonschema locales)

# With them shaders compile in a sixth of the time.
faster=(glslang-dev)

say() { echo "setup: $*"; }

# Runs a command as root: directly, or by sudo.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    say "these packages need root, and there is no sudo; as root, run: $*" >&2
    return 1
  fi
}

installed() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

setup_debian() {
  local package missing=()
  for package in "${packages[@]}"; do
    installed "$package" || missing+=("$package")
  done
  if [ ${#missing[@]} -eq 0 ]; then
    say "all packages are installed"
    setup_faster
    return
  fi
  say "missing: ${missing[*]}"
  as_root apt-get update
  # clang-format 14 is the one the code is formatted with; where it is gone, any will do to build and test.
  local wanted=()
  for package in "${missing[@]}"; do
    if [ "$package" = clang-format-14 ] && ! apt-cache show clang-format-14 >/dev/null 2>&1; then
      package=clang-format
    fi
    wanted+=("$package")
  done
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${wanted[@]}"
  setup_faster
}

# Without network or root nothing is lost but time. The package lists are those of the last update, or none.
setup_faster() {
  local package
  for package in "${faster[@]}"; do
    if installed "$package"; then
      continue
    fi
    [ "$(id -u)" -eq 0 ] || { say "$package is not installed: shaders take longer to compile"; continue; }
    { DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$package" ||
      { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$package"; }; } \
      >/dev/null 2>&1 || say "$package could not be installed: shaders take longer to compile"
  done
}

# Elsewhere nothing is installed: what is missing is listed.
setup_other() {
  local missing=() name header
  for name in cc cmake ninja pkg-config git glslangValidator spirv-val python3; do
    command -v "$name" >/dev/null || missing+=("$name (program)")
  done
  if command -v pkg-config >/dev/null; then
    for name in vulkan libcjson check; do
      pkg-config --exists "$name" || missing+=("$name (library, found by pkg-config)")
    done
  fi
  if command -v cc >/dev/null; then
    for header in omp.h stb/stb_image_write.h; do
      echo "#include <$header>" | cc -fopenmp -E -x c - >/dev/null 2>&1 ||
        echo "#include <${header#*/}>" | cc -fopenmp -E -x c - >/dev/null 2>&1 || missing+=("${header#*/} (header)")
    done
  fi
  if [ ${#missing[@]} -gt 0 ]; then
    say "this is not Debian or Ubuntu: please install these by your system's means, then run tools/setup.sh again:" >&2
    printf '  %s\n' "${missing[@]}" >&2
    return 1
  fi
  say "everything is there"
}

# The layer of the distribution, or its copy here, is found by this file on VK_LAYER_PATH.
write_layer_manifest() {
  cat >"$1/VkLayer_khronos_validation.json" <<'JSON'
{
  "file_format_version": "1.2.0",
  "layer": {
    "name": "VK_LAYER_KHRONOS_validation",
    "type": "GLOBAL",
    "library_path": "./libVkLayer_khronos_validation.so",
    "api_version": "1.4.300",
    "implementation_version": "1",
    "description": "Khronos validation layer from Debian's chromium package",
    "instance_extensions": [
      {"name": "VK_EXT_debug_report", "spec_version": "9"},
      {"name": "VK_EXT_debug_utils", "spec_version": "1"},
      {"name": "VK_EXT_layer_settings", "spec_version": "2"},
      {"name": "VK_EXT_validation_features", "spec_version": "2"}
    ]
  }
}
JSON
}

# Debian's chromium-common carries vk_swiftshader and a validation layer newer than Debian's own.
setup_swiftshader() {
  local folder=build/swiftshader package
  if [ -e $folder/vk_swiftshader_icd.json ]; then
    say "SwiftShader is in $folder"
    return
  fi
  if ! command -v apt-get >/dev/null || ! command -v dpkg >/dev/null; then
    say "SwiftShader comes from Debian's chromium package, and this is not Debian: its tests will be skipped"
    return
  fi
  rm -rf $folder.part
  mkdir -p $folder.part/download
  for package in chromium-common chromium; do
    say "fetching SwiftShader out of $package"
    (cd $folder.part/download && apt-get download "$package") >$folder.part/log 2>&1 ||
      { [ "$(id -u)" -eq 0 ] && apt-get update >>$folder.part/log 2>&1 &&
        (cd $folder.part/download && apt-get download "$package") >>$folder.part/log 2>&1; } || continue
    dpkg -x $folder.part/download/*.deb $folder.part/tree || continue
    rm -f $folder.part/download/*.deb
    local found=$folder.part/tree/usr/lib/chromium
    if [ ! -e $found/libvk_swiftshader.so ] || [ ! -e $found/vk_swiftshader_icd.json ]; then
      echo "$package has no SwiftShader in it" >>$folder.part/log
      continue
    fi
    mkdir $folder.part/ready
    cp $found/libvk_swiftshader.so $found/vk_swiftshader_icd.json $folder.part/ready/
    if [ -e $found/libVkLayer_khronos_validation.so ]; then
      mkdir $folder.part/ready/layers
      cp $found/libVkLayer_khronos_validation.so $folder.part/ready/layers/
      write_layer_manifest $folder.part/ready/layers
    fi
    rm -rf $folder
    mv $folder.part/ready $folder
    rm -rf $folder.part
    say "SwiftShader is in $folder"
    return
  done
  say "SwiftShader could not be fetched (see below): its tests will be skipped"
  tail -n 3 $folder.part/log || true
  rm -rf $folder.part
}

swiftshader=0
for argument in "$@"; do
  case $argument in
    --swiftshader) swiftshader=1 ;;
    -h | --help)
      sed -n '2,5s/^# //p' tools/setup.sh
      exit 0
      ;;
    *)
      say "unknown option $argument; expected --swiftshader" >&2
      exit 2
      ;;
  esac
done

if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then
  setup_debian
else
  setup_other
fi
if [ $swiftshader -eq 1 ]; then
  setup_swiftshader
fi
