# Shaders: compiled by glslang, validated by spirv-val, embedded as C arrays. Fills VELA_SHADER_SOURCES.
set(VELA_SHADER_SOURCES)
