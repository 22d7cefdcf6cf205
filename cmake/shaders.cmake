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

# One variant: GLSL -> SPIR-V (validated). The appended lists are the caller's.
macro(vela_shader_variant SOURCE NAME)
  string(MAKE_C_IDENTIFIER "${NAME}" IDENTIFIER)
  set(SPIRV ${SHADER_BINARY_DIR}/${IDENTIFIER}.spv)
  if(NOT VELA_SHADERS_FROM)
    add_custom_command(OUTPUT ${SPIRV}
      COMMAND ${GLSLANG} -V --quiet --target-env vulkan1.2 ${ARGN} -I${PROJECT_SOURCE_DIR}/shaders
              -I${PROJECT_SOURCE_DIR}/shaders/common -I${PROJECT_SOURCE_DIR}/src
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
endforeach()

# The assembler takes the files in (.incbin of the GNU assembler, which gcc and clang have): as C arrays they took a process
# and a compilation each.
set(SHADER_TABLE ${PROJECT_BINARY_DIR}/shader_table.c)
configure_file(${PROJECT_SOURCE_DIR}/cmake/shader_table.c.in ${SHADER_TABLE} @ONLY)
set_source_files_properties(${SHADER_TABLE} PROPERTIES OBJECT_DEPENDS "${VELA_SHADER_BINARIES}")
set(VELA_SHADER_SOURCES ${SHADER_TABLE})
