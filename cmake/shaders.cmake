# Shaders: compiled by glslang, validated by spirv-val, embedded as they are. Fills VELA_SHADER_SOURCES.
#
# shaders/<folder>/name.comp|vert|frag is found at run time as gpu_shader_find("<folder>/name.comp" without ".comp",
# with ".vert" and ".frag" kept): "compute/cg_apply", "render/mesh.vert". A kernel with the line "// variant: f64" is
# compiled a second time with VELA_F64 defined, as "compute/cg_apply_f64". A kernel with the line "// variant: kinds" is
# compiled once for every kind of element in src/abi/element_kind.h instead, with ELEMENT_KIND defined as the kind:
# "compute/element_forces_tet" and "compute/element_forces_tet_f64". With VELA_TESTS, tests/shaders/*.comp become
# "test/name".
#
# VELA_SHADERS_FROM names the build folder of another variant of the same tree, whose shaders are taken as they are:
# they do not depend on the C compiler.
set(VELA_SHADERS_FROM "" CACHE PATH "Build folder whose compiled shaders are used instead of compiling them again")
find_program(GLSLANG glslangValidator DOC "GLSL compiler (Debian package glslang-tools)")
find_program(SPIRV_VAL spirv-val DOC "SPIR-V validator (Debian package spirv-tools)")
foreach(TOOL GLSLANG SPIRV_VAL)
  if(NOT ${TOOL})
    message(FATAL_ERROR "${TOOL} was not found: install glslang-tools and spirv-tools")
  endif()
endforeach()

set(VELA_SHADER_BINARIES)
set(VELA_SHADER_TABLE)
set(VELA_SHADER_CODE)
set(VELA_SHADER_DECLARATIONS)
if(VELA_SHADERS_FROM)
  get_filename_component(SHADER_BINARY_DIR ${VELA_SHADERS_FROM}/shaders ABSOLUTE BASE_DIR ${PROJECT_SOURCE_DIR})
else()
  set(SHADER_BINARY_DIR ${PROJECT_BINARY_DIR}/shaders)
endif()

# Where the libraries of glslang are (Debian package glslang-dev), cmake/compile_shaders.cpp compiles all variants of a source in one
# process; else glslangValidator takes one after the other, which takes six times as long.
set(SHADER_COMPILER)
if(NOT VELA_SHADERS_FROM)
  include(CheckLanguage)
  check_language(CXX)
  find_path(GLSLANG_INCLUDE_DIR glslang/SPIRV/GlslangToSpv.h)
  set(GLSLANG_LIBRARIES)
  foreach(PART SPIRV glslang MachineIndependent OSDependent GenericCodeGen OGLCompiler HLSL glslang-default-resource-limits
      SPIRV-Tools-opt SPIRV-Tools)
    find_library(GLSLANG_${PART}_LIBRARY ${PART})
    mark_as_advanced(GLSLANG_${PART}_LIBRARY)
    if(GLSLANG_${PART}_LIBRARY) # newer versions have fewer
      list(APPEND GLSLANG_LIBRARIES ${GLSLANG_${PART}_LIBRARY})
    endif()
  endforeach()
  if(CMAKE_CXX_COMPILER AND GLSLANG_INCLUDE_DIR AND GLSLANG_LIBRARIES)
    enable_language(CXX)
    set(COMPILER_SOURCE ${PROJECT_SOURCE_DIR}/cmake/compile_shaders.cpp)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${COMPILER_SOURCE})
    file(SHA256 ${COMPILER_SOURCE} COMPILER_HASH)
    set(COMPILER_BINARY ${PROJECT_BINARY_DIR}/compile_shaders)
    if(NOT EXISTS ${COMPILER_BINARY} OR NOT "${COMPILER_HASH}" STREQUAL "${VELA_SHADER_COMPILER_HASH}")
      unset(VELA_SHADER_COMPILER_BUILDS CACHE)
      try_compile(VELA_SHADER_COMPILER_BUILDS ${PROJECT_BINARY_DIR} ${COMPILER_SOURCE}
        CMAKE_FLAGS -DINCLUDE_DIRECTORIES=${GLSLANG_INCLUDE_DIR}
        LINK_LIBRARIES ${GLSLANG_LIBRARIES} pthread
        COPY_FILE ${COMPILER_BINARY})
      set(VELA_SHADER_COMPILER_HASH "${COMPILER_HASH}" CACHE INTERNAL "Source that compile_shaders was built from")
    endif()
    if(VELA_SHADER_COMPILER_BUILDS)
      set(SHADER_COMPILER ${COMPILER_BINARY})
    endif()
  endif()
  if(SHADER_COMPILER)
    message(STATUS "Shaders: all variants of a source in one process")
  else()
    message(STATUS "Shaders: one process each; with glslang-dev they take a sixth of the time")
  endif()
endif()
set(SHADER_INCLUDES -I${PROJECT_SOURCE_DIR}/shaders -I${PROJECT_SOURCE_DIR}/shaders/common -I${PROJECT_SOURCE_DIR}/src)

# One variant: GLSL -> SPIR-V (validated). The appended lists are the caller's.
macro(vela_shader_variant SOURCE NAME)
  string(MAKE_C_IDENTIFIER "${NAME}" IDENTIFIER)
  set(SPIRV ${SHADER_BINARY_DIR}/${IDENTIFIER}.spv)
  if(SHADER_COMPILER)
    list(APPEND VARIANT_OUTPUTS ${SPIRV})
    list(APPEND VARIANT_ARGUMENTS ${SPIRV} ${ARGN})
  elseif(NOT VELA_SHADERS_FROM)
    add_custom_command(OUTPUT ${SPIRV}
      COMMAND ${GLSLANG} -V --quiet --target-env vulkan1.2 ${ARGN} ${SHADER_INCLUDES}
              --depfile ${SPIRV}.d -o ${SPIRV} ${SOURCE}
      COMMAND ${SPIRV_VAL} --target-env vulkan1.2 --scalar-block-layout ${SPIRV}
      DEPENDS ${SOURCE} DEPFILE ${SPIRV}.d COMMENT "Shader ${NAME}" VERBATIM)
  endif()
  list(APPEND VELA_SHADER_BINARIES ${SPIRV})
  string(APPEND VELA_SHADER_CODE "SHADER(${IDENTIFIER}, \"${SPIRV}\")\n")
  string(APPEND VELA_SHADER_DECLARATIONS
    "extern const uint32_t shader_${IDENTIFIER}[], shader_${IDENTIFIER}_end[];\n")
  string(APPEND VELA_SHADER_TABLE "    {\"${NAME}\", shader_${IDENTIFIER}, shader_${IDENTIFIER}_end},\n")
endmacro()

# The variants of one source that vela_shader_variant has collected.
macro(vela_shader_source SOURCE NAME)
  if(VARIANT_OUTPUTS)
    list(GET VARIANT_OUTPUTS 0 FIRST)
    add_custom_command(OUTPUT ${VARIANT_OUTPUTS}
      COMMAND ${SHADER_COMPILER} ${SOURCE} ${FIRST}.d ${SHADER_INCLUDES} ${VARIANT_ARGUMENTS}
      DEPENDS ${SOURCE} ${SHADER_COMPILER} DEPFILE ${FIRST}.d COMMENT "Shader ${NAME}" VERBATIM)
  endif()
endmacro()

file(GLOB_RECURSE SHADERS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/shaders/*.comp ${PROJECT_SOURCE_DIR}/shaders/*.vert
  ${PROJECT_SOURCE_DIR}/shaders/*.frag)
if(VELA_TESTS)
  file(GLOB TEST_SHADERS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/shaders/*.comp)
endif()
list(SORT SHADERS)

# The kinds of element: "tet" and so on, from the lines "#define ELEMENT_TET 0".
set(ELEMENT_KINDS)
set(ELEMENT_KIND_HEADER ${PROJECT_SOURCE_DIR}/src/abi/element_kind.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ELEMENT_KIND_HEADER})
file(STRINGS ${ELEMENT_KIND_HEADER} KIND_LINES REGEX "^#define ELEMENT_[A-Z_]+ [0-9]+")
foreach(LINE ${KIND_LINES})
  string(REGEX REPLACE "^#define ELEMENT_([A-Z_]+) .*" "\\1" KIND "${LINE}")
  if(NOT KIND MATCHES "_COUNT$|_MOST$")
    list(APPEND ELEMENT_KINDS ${KIND})
  endif()
endforeach()
foreach(SOURCE ${SHADERS} ${TEST_SHADERS})
  if(SOURCE MATCHES "/tests/shaders/")
    get_filename_component(NAME ${SOURCE} NAME)
    set(NAME "test/${NAME}")
  else()
    file(RELATIVE_PATH NAME ${PROJECT_SOURCE_DIR}/shaders ${SOURCE})
  endif()
  string(REGEX REPLACE "\\.comp$" "" NAME "${NAME}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${SOURCE})
  file(STRINGS ${SOURCE} HAS_F64 REGEX "^// variant: f64$")
  file(STRINGS ${SOURCE} HAS_KINDS REGEX "^// variant: kinds$")
  if(HAS_KINDS)
    set(KINDS ${ELEMENT_KINDS})
  else()
    set(KINDS all)
  endif()
  set(VARIANT_OUTPUTS)
  set(VARIANT_ARGUMENTS)
  foreach(KIND ${KINDS})
    set(SUFFIX)
    set(DEFINES)
    if(HAS_KINDS)
      string(TOLOWER _${KIND} SUFFIX)
      set(DEFINES -DELEMENT_KIND=ELEMENT_${KIND})
    endif()
    vela_shader_variant(${SOURCE} ${NAME}${SUFFIX} ${DEFINES})
    if(HAS_F64)
      vela_shader_variant(${SOURCE} ${NAME}${SUFFIX}_f64 ${DEFINES} -DVELA_F64=1)
    endif()
  endforeach()
  vela_shader_source(${SOURCE} ${NAME})
endforeach()

# The assembler takes the files in (.incbin of the GNU assembler, which gcc and clang have): as C arrays they took a process
# and a compilation each.
set(SHADER_TABLE ${PROJECT_BINARY_DIR}/shader_table.c)
configure_file(${PROJECT_SOURCE_DIR}/cmake/shader_table.c.in ${SHADER_TABLE} @ONLY)
set_source_files_properties(${SHADER_TABLE} PROPERTIES OBJECT_DEPENDS "${VELA_SHADER_BINARIES}")
set(VELA_SHADER_SOURCES ${SHADER_TABLE})
