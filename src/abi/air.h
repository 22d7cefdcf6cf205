/* The air on the device. Read by the C compiler and by the shader compiler: preprocessor only. */
#ifndef ABI_AIR_H
#define ABI_AIR_H

#include "abi/admm.h"

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

/* ADMM's copies of positions (device/vulkan/admm/air_copies.c): sections of three numbers a vertex, all less the stage's base position, number k
 * of vertex v of n at (3 section + k) n + v. */
#define AIR_COPY_PLACE 0      /* J, at the current iterate */
#define AIR_COPY_STATE 1      /* S */
#define AIR_COPY_PROJECTED 2  /* Z */
#define AIR_COPY_RESIDUAL 3   /* J - Z */
#define AIR_COPY_IMAGE 4      /* S + (J - Z) */
#define AIR_COPY_MULTIPLIER 5 /* weight (S + J - 2 Z), N */
#define AIR_COPY_RESIDUAL_DIFFERENCES 6
#define AIR_COPY_IMAGE_DIFFERENCES (AIR_COPY_RESIDUAL_DIFFERENCES + HISTORY_MOST)
#define AIR_COPY_SECTIONS (AIR_COPY_IMAGE_DIFFERENCES + HISTORY_MOST)

#endif
