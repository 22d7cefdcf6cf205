/* Matrices and linear solves on the device. Read by the C compiler and by the shader compiler: preprocessor only. */
#ifndef ABI_LINEAR_H
#define ABI_LINEAR_H

/* Rows of the global matrix are stored in slices of this many, entry j of row i of a slice at start + 32 j + i; entry 0 is
 * the diagonal. The rows are those of the nodes in the order of NodeOrder (model/model.h): a buffer has where each slice
 * starts and the last one ends, behind that the nodes in this order, and behind those two numbers for each slice: where the words
 * of its columns start, and the least of its columns. A word has the columns of entries j and j + 1 less that one, 16 bits each,
 * at start + 32 j/2 + i; or, where the slice's columns are further apart, one column, and SLICE_IS_WIDE is in the place of the
 * least. */
#define SLICE_ROWS 32
#define SLICE_IS_WIDE 0xffffffffu

/* Newton's matrix is symmetric. Where two rows of a stripe (abi/coarse.h) have blocks of each other, an iteration with a coarse space reads one
 * of the two, and its row hands the other one what the block turned round makes of the row's own part, through memory that the
 * workgroup shares. So the entries of a row are the diagonal, those that are handed on as well, those that are the row's alone, and those that
 * other rows hand it, which are not read; without stripes all are the row's alone. Behind the columns of a slice's entries: a word for each row, and the places of what it hands on, two
 * in a word, 16 bits each. What a row is handed has places that follow one another. */
#define HANDED_OF_ROW_MOST 8 /* entries that a row hands on */
#define HANDED_WORDS (1 + HANDED_OF_ROW_MOST / 2)
#define HANDED_TO_ROW_MOST 31
/* A row's word: entries that are read, those of them that are handed on, how many it is handed, the place of the first. */
#define HANDED_READ_BITS 12
#define HANDED_ON_BITS 4
#define HANDED_COUNT_BITS 5
#define HANDED_READ_MOST ((1 << HANDED_READ_BITS) - 1) /* or more, and then all of a row is read */

/* A solve of ADMM that needs more is cut off and counted: the next iteration forms its residual anew. */
#define CG_ITERATIONS_MOST 2000

/* Numbers that are kept of the root of a body's 12x12 block: its ten 3x3 blocks on the diagonal and below. */
#define BODY_ROOT_SIZE 90

/* When a direction of Newton's method is solved for, whatever its gradient asks for: what a residual leaves of it is in proportion to both, so a short
 * one, which may end a stage, lacks no more than one of that length does with a residual of the settings' tolerance. After a longer one another follows, and is short if
 * this one lacks no more than one of that length does with a residual of SETTLED_LONG. Iterations from one look at this to the next. */
#define SETTLED_LONG 0.01
#define SETTLING 4

#endif
