/* The air on the device. Read by the C compiler and by the shader compiler: preprocessor only. */
#ifndef ABI_AIR_H
#define ABI_AIR_H

/* Facets: of each vertex of bodies' surfaces the triangles around it, three vertices each, or a cable's segments, with this as the
 * third. */
#define AIR_SEGMENT 0xffffffffu
#define AIR_FACET_WORDS 3

/* Terms: of each node what it is in the surface map: a vertex, the place of its weight, and the place of the matrix's entries in
 * its row and the columns of the vertex's nodes. */
#define AIR_TERM_VERTEX 0
#define AIR_TERM_WEIGHT 1
#define AIR_TERM_ENTRIES 2
#define AIR_TERM_WORDS 3

/* B: six numbers 00 11 22 01 02 12, number k of vertex v of n at k n + v. */
#define AIR_BLOCK_SIZE 6

#endif
