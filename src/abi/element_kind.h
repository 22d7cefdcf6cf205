/* Numbers of the kinds of element. Read by the C compiler and by the shader compiler: preprocessor only. */
#ifndef ABI_ELEMENT_KIND_H
#define ABI_ELEMENT_KIND_H

#define ELEMENT_TET 0
#define ELEMENT_KIND_COUNT 1

/* Limits of every kind: nodes an element, columns of its D x. */
#define ELEMENT_CORNERS_MOST 4
#define ELEMENT_COLUMNS_MOST 3

#endif
