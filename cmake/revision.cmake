# The git revision, written at build time so that it never lags behind a commit.
add_custom_target(vela_revision
  COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DOUTPUT=${PROJECT_BINARY_DIR}/revision.h
          -P ${PROJECT_SOURCE_DIR}/cmake/write_revision.cmake
  BYPRODUCTS ${PROJECT_BINARY_DIR}/revision.h)
add_dependencies(vela_library vela_revision)
target_include_directories(vela_library PRIVATE ${PROJECT_BINARY_DIR})
target_compile_definitions(vela_library PRIVATE VELA_VERSION="${PROJECT_VERSION}")
