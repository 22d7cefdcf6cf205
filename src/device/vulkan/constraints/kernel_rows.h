/// The kernels of constraints: rows of the table in device/vulkan/kernels.c, which defines BUFFERS.
#ifndef DEVICE_VULKAN_CONSTRAINTS_KERNEL_ROWS_H
#define DEVICE_VULKAN_CONSTRAINTS_KERNEL_ROWS_H

#include "device/vulkan/constraints/constraint_term.h"

enum { SADDLE_WORDS = sizeof(SaddlePush) / 4 };

#define CONSTRAINT_KERNEL_ROWS                                                                               \
    [KERNEL_CONSTRAINT_EVALUATE] = {"constraint_evaluate", GROUP_CONSTRAINTS, SADDLE_WORDS,                  \
                                    BUFFERS(BUFFER_CONTROL, BUFFER_FLAGS, BUFFER_SLOTS, BUFFER_PARTIAL_PINS, \
                                            BUFFER_INCREMENT, BUFFER_CONSTRAINT_LISTS,                       \
                                            BUFFER_CONSTRAINT_NUMBERS, BUFFER_CONSTRAINT_SLOPES,             \
                                            BUFFER_SADDLE_VECTORS, BUFFER_SADDLE_SUMS,                       \
                                            BUFFER_CONSTRAINT_STIFFNESS, BUFFER_CONSTRAINT_HOLDS),           \
                                    false},                                                                  \
    [KERNEL_CONSTRAINT_STIFFEN] = {"constraint_stiffen", GROUP_NODES, SADDLE_WORDS,                          \
                                   BUFFERS(BUFFER_FLAGS, BUFFER_CONSTRAINT_LISTS, BUFFER_CONSTRAINT_NUMBERS, \
                                           BUFFER_SLOTS, BUFFER_CONSTRAINT_STIFFNESS, BUFFER_FIRST_ROWS,     \
                                           BUFFER_SECOND_ROWS, BUFFER_THIRD_ROWS),                           \
                                   false},                                                                   \
    [KERNEL_CONSTRAINT_FACTOR] = {"constraint_factor", GROUP_CONSTRAINTS, SADDLE_WORDS,                      \
                                  BUFFERS(BUFFER_CONTROL, BUFFER_CONSTRAINT_LISTS,                           \
                                          BUFFER_CONSTRAINT_NUMBERS, BUFFER_CONSTRAINT_SLOPES,               \
                                          BUFFER_PRECONDITIONER, BUFFER_BODY_ROOTS,                          \
                                          BUFFER_CONSTRAINT_FACTORS),                                        \
                                  false},                                                                    \
    [KERNEL_CONSTRAINT_SIDES] = {"constraint_sides", GROUP_SIDES, SADDLE_WORDS,                              \
                                 BUFFERS(BUFFER_CONTROL, BUFFER_CONSTRAINT_LISTS, BUFFER_CONSTRAINT_SLOPES,  \
                                         BUFFER_SADDLE_VECTORS, BUFFER_SADDLE_SUMS,                          \
                                         BUFFER_CONSTRAINT_HOLDS),                                           \
                                 false},                                                                     \
    [KERNEL_CONSTRAINT_FINISH] = {"constraint_finish", GROUP_CG, SADDLE_WORDS,                               \
                                  BUFFERS(BUFFER_MATRIX_ROWS, BUFFER_INCREMENT, BUFFER_SADDLE_SUMS), false}, \
    [KERNEL_CONSTRAINT_FORCES] = {"constraint_forces", GROUP_NODES, SADDLE_WORDS,                            \
                                  BUFFERS(BUFFER_SLOTS, BUFFER_CONSTRAINT_LISTS, BUFFER_CONSTRAINT_SLOPES,   \
                                          BUFFER_SADDLE_SUMS),                                               \
                                  false},                                                                    \
    [KERNEL_CONSTRAINT_MEASURE] = {"constraint_measure", GROUP_CONSTRAINTS, SADDLE_WORDS,                    \
                                   BUFFERS(BUFFER_SLOTS, BUFFER_CONSTRAINT_LISTS, BUFFER_CONSTRAINT_NUMBERS, \
                                           BUFFER_DIAGNOSIS),                                                \
                                   false},                                                                   \
    [KERNEL_MINRES_REST] = {"minres_rest", GROUP_CG, SADDLE_WORDS,                                           \
                            BUFFERS(BUFFER_CONTROL, BUFFER_MATRIX_ROWS, BUFFER_COLUMNS, BUFFER_FIRST_ROWS,   \
                                    BUFFER_SECOND_ROWS, BUFFER_THIRD_ROWS, BUFFER_CHANGING_ROWS,             \
                                    BUFFER_CHANGING_COLUMNS, BUFFER_CHANGING_BLOCKS, BUFFER_RESIDUAL,        \
                                    BUFFER_CONSTRAINT_LISTS, BUFFER_CONSTRAINT_NUMBERS,                      \
                                    BUFFER_CONSTRAINT_SLOPES, BUFFER_CONSTRAINT_HOLDS,                       \
                                    BUFFER_SADDLE_VECTORS, BUFFER_SADDLE_SUMS),                              \
                            false},                                                                          \
    [KERNEL_MINRES_APPLY] = {"minres_apply", GROUP_CG, SADDLE_WORDS,                                         \
                             BUFFERS(BUFFER_CONTROL, BUFFER_SCALARS, BUFFER_PARTIALS, BUFFER_MATRIX_ROWS,    \
                                     BUFFER_COLUMNS, BUFFER_FIRST_ROWS, BUFFER_SECOND_ROWS,                  \
                                     BUFFER_THIRD_ROWS, BUFFER_CHANGING_ROWS, BUFFER_CHANGING_COLUMNS,       \
                                     BUFFER_CHANGING_BLOCKS, BUFFER_CONSTRAINT_LISTS,                        \
                                     BUFFER_CONSTRAINT_NUMBERS, BUFFER_CONSTRAINT_SLOPES,                    \
                                     BUFFER_CONSTRAINT_HOLDS, BUFFER_SADDLE_VECTORS),                        \
                             false},                                                                         \
    [KERNEL_MINRES_UPDATE] = {"minres_update", GROUP_CG, SADDLE_WORDS,                                       \
                              BUFFERS(BUFFER_CONTROL, BUFFER_SCALARS, BUFFER_PARTIALS, BUFFER_MATRIX_ROWS,   \
                                      BUFFER_PRECONDITIONER, BUFFER_BODY_ROOTS, BUFFER_CONSTRAINT_LISTS,     \
                                      BUFFER_CONSTRAINT_FACTORS, BUFFER_CONSTRAINT_HOLDS,                    \
                                      BUFFER_SADDLE_VECTORS, BUFFER_SADDLE_SUMS),                            \
                              false}

#endif
