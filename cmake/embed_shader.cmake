# INPUT (SPIR-V, little-endian words) -> OUTPUT: a C array IDENTIFIER and its size in bytes, IDENTIFIER_size.
file(READ ${INPUT} BYTES HEX)
string(REGEX REPLACE "(..)(..)(..)(..)" "0x\\4\\3\\2\\1," WORDS "${BYTES}")
string(REGEX REPLACE "(0x........,0x........,0x........,0x........,0x........,0x........,0x........,0x........,)"
  "\\1\n" WORDS "${WORDS}")
file(WRITE ${OUTPUT} "#include <stddef.h>\n#include <stdint.h>\n\nextern const uint32_t ${IDENTIFIER}[];
extern const size_t ${IDENTIFIER}_size;\nconst uint32_t ${IDENTIFIER}[] = {\n${WORDS}\n};
const size_t ${IDENTIFIER}_size = sizeof ${IDENTIFIER};\n")
