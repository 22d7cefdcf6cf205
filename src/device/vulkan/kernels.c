// Which kernel works on which buffers: the table behind all dispatches.
#include "device/vulkan/kernels.h"

#include "device/vulkan/admm/air_copies.h"
#include "device/vulkan/admm/damping_copies.h"
#include "device/vulkan/contact/broad_phase.h"
#include "device/vulkan/terms/air.h"
#include "device/vulkan/terms/elements.h"

#include <stdio.h>

/// 1/t, the wind and six words (terms/air.c).
enum { AIR_WORDS = 14 };
enum { CONTACT_WORDS = sizeof(ContactPush) / 4 };
enum { LINEAR_WORDS = sizeof(LinearPush) / 4, ELEMENT_WORDS = sizeof(ElementPush) / 4 };

#define BUFFERS(...) {__VA_ARGS__}, sizeof((BufferName[]){__VA_ARGS__}) / sizeof(BufferName)

const KernelRow vulkan_kernel_rows[KERNEL_COUNT] = {
    [KERNEL_COMBINE] = {"combine", GROUP_NODES, 15, BUFFERS(BUFFER_SLOTS), false},
    [KERNEL_PRESCRIBE] = {"prescribe", GROUP_NODES, 3,
                          BUFFERS(BUFFER_SLOTS, BUFFER_PIN_NODES, BUFFER_PIN_POSITIONS, BUFFER_FLAGS,
                                  BUFFER_PARTIAL_PINS),
                          false},
    [KERNEL_ACCELERATION] = {"acceleration", GROUP_NODES, 5,
                             BUFFERS(BUFFER_SCALARS, BUFFER_FLAGS, BUFFER_INCIDENCE_START,
                                     BUFFER_CORNER_FORCES, BUFFER_SLOTS, BUFFER_MASSES, BUFFER_PLANES,
                                     BUFFER_MASS_LISTS, BUFFER_MASS_BLOCKS, BUFFER_PARTIAL_PINS,
                                     BUFFER_LOADS),
                             false},
    [KERNEL_STAGE_ACCELERATION] = {"stage_acceleration", GROUP_NODES, 4,
                                   BUFFERS(BUFFER_FLAGS, BUFFER_SLOTS, BUFFER_PARTIAL_PINS), false},
    [KERNEL_MASS_DOT] = {"mass_dot", GROUP_NODES, 10,
                         BUFFERS(BUFFER_FLAGS, BUFFER_SLOTS, BUFFER_MASSES, BUFFER_DIAGNOSIS,
                                 BUFFER_MASS_LISTS, BUFFER_MASS_BLOCKS, BUFFER_PARTIAL_PINS),
                         false},
    [KERNEL_DIAGNOSE_NODES] = {"diagnose_nodes", GROUP_NODES, 10,
                               BUFFERS(BUFFER_SCALARS, BUFFER_FLAGS, BUFFER_SLOTS, BUFFER_MASSES,
                                       BUFFER_PLANES, BUFFER_DIAGNOSIS, BUFFER_INDICES, BUFFER_MASS_LISTS,
                                       BUFFER_MASS_BLOCKS),
                               false},
    [KERNEL_CONTACT_MEANS] = {"contact_means", GROUP_NODES, CONTACT_WORDS,
                              BUFFERS(BUFFER_VERTEX_MOTION, BUFFER_CONTACT_LISTS, BUFFER_OWNER_MOTION),
                              false},
    [KERNEL_CONTACT_CODES] = {"contact_codes", GROUP_CONTACT, CONTACT_WORDS,
                              BUFFERS(BUFFER_VERTICES, BUFFER_CONTACT_LISTS, BUFFER_TREE_BOXES,
                                      BUFFER_PRIMITIVE_KEYS, BUFFER_PRIMITIVE_ORDER),
                              false},
    [KERNEL_CONTACT_LEAVES] = {"contact_leaves", GROUP_TREE, CONTACT_WORDS,
                               BUFFERS(BUFFER_VERTICES, BUFFER_VERTEX_MOTION, BUFFER_CONTACT_LISTS,
                                       BUFFER_CONTACT_NUMBERS, BUFFER_OWNER_MOTION, BUFFER_PRIMITIVE_ORDER,
                                       BUFFER_TREE_BOXES, BUFFER_TREE_OWN_BOXES, BUFFER_TREE_OWNERS),
                               false},
    [KERNEL_CONTACT_JOIN] = {"contact_join", GROUP_TREE, CONTACT_WORDS,
                             BUFFERS(BUFFER_CONTACT_LISTS, BUFFER_TREE_BOXES, BUFFER_TREE_OWN_BOXES,
                                     BUFFER_TREE_OWNERS),
                             true},
    [KERNEL_CONTACT_COUNT] = {"contact_count", GROUP_CONTACT, CONTACT_WORDS,
                              BUFFERS(BUFFER_VERTICES, BUFFER_VERTEX_MOTION, BUFFER_CONTACT_LISTS,
                                      BUFFER_CONTACT_NUMBERS, BUFFER_OWNER_MOTION, BUFFER_PRIMITIVE_ORDER,
                                      BUFFER_TREE_BOXES, BUFFER_TREE_OWN_BOXES, BUFFER_TREE_OWNERS,
                                      BUFFER_QUERY_STARTS, BUFFER_CONTACT_CONTROL),
                              false},
    [KERNEL_CONTACT_COLLECT] = {"contact_collect", GROUP_CONTACT, CONTACT_WORDS,
                                BUFFERS(BUFFER_VERTICES, BUFFER_VERTEX_MOTION, BUFFER_CONTACT_LISTS,
                                        BUFFER_CONTACT_NUMBERS, BUFFER_OWNER_MOTION, BUFFER_PRIMITIVE_ORDER,
                                        BUFFER_TREE_BOXES, BUFFER_TREE_OWN_BOXES, BUFFER_TREE_OWNERS,
                                        BUFFER_QUERY_STARTS, BUFFER_RAW_PAIRS),
                                false},
    [KERNEL_CONTACT_LIMIT] = {"contact_limit", 1, CONTACT_WORDS,
                              BUFFERS(BUFFER_CONTACT_CONTROL, BUFFER_CONTACT_LISTS, BUFFER_QUERY_STARTS,
                                      BUFFER_RAW_KEPT),
                              true},
    [KERNEL_CONTACT_NARROW] = {"contact_narrow", GROUP_CONTACT, CONTACT_WORDS,
                               BUFFERS(BUFFER_VERTICES, BUFFER_VERTEX_MOTION, BUFFER_CONTACT_LISTS,
                                       BUFFER_CONTACT_NUMBERS, BUFFER_CONTACT_REST, BUFFER_CONTACT_CONTROL,
                                       BUFFER_RAW_PAIRS, BUFFER_RAW_KEPT),
                               false},
    [KERNEL_CONTACT_LIST] = {"contact_list", GROUP_CONTACT, CONTACT_WORDS,
                             BUFFERS(BUFFER_CONTACT_CONTROL, BUFFER_CONTACT_LISTS, BUFFER_CONTACT_NUMBERS,
                                     BUFFER_CONTACT_REST, BUFFER_RAW_PAIRS, BUFFER_RAW_KEPT,
                                     BUFFER_QUERY_STARTS, BUFFER_CANDIDATES, BUFFER_CANDIDATE_NUMBERS),
                             false},
    [KERNEL_NEWTON_NODES] = {"newton_nodes", GROUP_NODES, 3,
                             BUFFERS(BUFFER_CONTROL, BUFFER_SCALARS, BUFFER_FLAGS, BUFFER_INCIDENCE_START,
                                     BUFFER_CORNER_FORCES, BUFFER_SLOTS, BUFFER_MASSES, BUFFER_PLANES,
                                     BUFFER_NODE_GRADIENT, BUFFER_INCREMENT, BUFFER_PRECONDITIONER,
                                     BUFFER_MASS_LISTS, BUFFER_MASS_BLOCKS, BUFFER_PARTIAL_PINS,
                                     BUFFER_LOADS),
                             false},
    [KERNEL_NEWTON_COUPLINGS] = {"newton_couplings", GROUP_NODES, 3,
                                 BUFFERS(BUFFER_SCALARS, BUFFER_FLAGS, BUFFER_MASS_LISTS, BUFFER_MASS_BLOCKS,
                                         BUFFER_FIRST_ROWS, BUFFER_SECOND_ROWS, BUFFER_THIRD_ROWS),
                                 false},
    [KERNEL_NEWTON_BLOCKS] = {"newton_blocks", GROUP_ELEMENTS, 4,
                              BUFFERS(BUFFER_BLOCK_START, BUFFER_CONTRIBUTIONS, BUFFER_ELEMENT_DATA,
                                      BUFFER_FIRST_ROWS, BUFFER_SECOND_ROWS, BUFFER_THIRD_ROWS),
                              false},
    [KERNEL_NEWTON_START] = {"newton_start", GROUP_CG, 5,
                             BUFFERS(BUFFER_FLAGS, BUFFER_MATRIX_ROWS, BUFFER_COLUMNS, BUFFER_FIRST_ROWS,
                                     BUFFER_SECOND_ROWS, BUFFER_THIRD_ROWS, BUFFER_NODE_GRADIENT,
                                     BUFFER_INCREMENT, BUFFER_PRECONDITIONER, BUFFER_RESIDUAL,
                                     BUFFER_CHANGING_ROWS, BUFFER_CHANGING_COLUMNS, BUFFER_CHANGING_BLOCKS,
                                     BUFFER_PARTIAL_PINS),
                             false},
    [KERNEL_NEWTON_BODIES] = {"newton_bodies", COARSE_BLOCK, 5,
                              BUFFERS(BUFFER_MATRIX_ROWS, BUFFER_MASS_LISTS, BUFFER_FIRST_ROWS,
                                      BUFFER_SECOND_ROWS, BUFFER_THIRD_ROWS, BUFFER_CHANGING_ROWS,
                                      BUFFER_CHANGING_COLUMNS, BUFFER_CHANGING_BLOCKS, BUFFER_BODY_ROOTS),
                              false},
    [KERNEL_NEWTON_APPLY] = {"newton_apply", GROUP_CG, LINEAR_WORDS,
                             BUFFERS(BUFFER_CONTROL, BUFFER_SCALARS, BUFFER_PARTIALS, BUFFER_MATRIX_ROWS,
                                     BUFFER_COLUMNS, BUFFER_FIRST_ROWS, BUFFER_SECOND_ROWS, BUFFER_THIRD_ROWS,
                                     BUFFER_DIRECTION, BUFFER_PRODUCT, BUFFER_CHANGING_ROWS,
                                     BUFFER_CHANGING_COLUMNS, BUFFER_CHANGING_BLOCKS, BUFFER_ARMS,
                                     BUFFER_BODY_ROOTS),
                             false},
    [KERNEL_NEWTON_FINISH] = {"newton_finish", GROUP_NODES, 1,
                              BUFFERS(BUFFER_CONTROL, BUFFER_FLAGS, BUFFER_NODE_GRADIENT, BUFFER_DIRECTION,
                                      BUFFER_INCREMENT, BUFFER_DIAGNOSIS, BUFFER_INDICES, BUFFER_SCALARS,
                                      BUFFER_SLOTS, BUFFER_PARTIAL_PINS, BUFFER_STRAIGHT),
                              false},
    [KERNEL_NEWTON_TURN] = {"newton_turn", GROUP_NODES, 2,
                            BUFFERS(BUFFER_FLAGS, BUFFER_SLOTS, BUFFER_STRAIGHT, BUFFER_MASS_LISTS,
                                    BUFFER_DIAGNOSIS),
                            false},
    [KERNEL_NEWTON_WAY] = {"newton_way", GROUP_NODES, 4,
                           BUFFERS(BUFFER_FLAGS, BUFFER_SLOTS, BUFFER_STRAIGHT, BUFFER_MASS_LISTS,
                                   BUFFER_INCREMENT),
                           false},
    [KERNEL_NEWTON_BOUND] = {"newton_bound", GROUP_ELEMENTS, ELEMENT_WORDS,
                             BUFFERS(BUFFER_SLOTS, BUFFER_ELEMENT_NODES, BUFFER_SHAPES, BUFFER_INCREMENT,
                                     BUFFER_DIAGNOSIS),
                             false},
    [KERNEL_NEWTON_TRIAL_NODES] = {"newton_trial_nodes", GROUP_NODES, 3,
                                   BUFFERS(BUFFER_SCALARS, BUFFER_FLAGS, BUFFER_SLOTS, BUFFER_MASSES,
                                           BUFFER_PLANES, BUFFER_INCREMENT, BUFFER_DIAGNOSIS, BUFFER_INDICES,
                                           BUFFER_MASS_LISTS, BUFFER_MASS_BLOCKS, BUFFER_LOADS),
                                   false},
    [KERNEL_NEWTON_ACCEPT] = {"newton_accept", GROUP_NODES, 4,
                              BUFFERS(BUFFER_FLAGS, BUFFER_SLOTS, BUFFER_INCREMENT, BUFFER_PARTIAL_PINS),
                              false},
    [KERNEL_COARSE_PARTS] = {"coarse_parts", GROUP_COARSE, 2,
                             BUFFERS(BUFFER_COARSE_BATCHES, BUFFER_COARSE_ENTRIES, BUFFER_FIRST_ROWS,
                                     BUFFER_SECOND_ROWS, BUFFER_THIRD_ROWS, BUFFER_ARMS, BUFFER_COARSE_PARTS),
                             false},
    [KERNEL_COARSE_SUM] = {"coarse_sum", COARSE_BLOCK, 1,
                           BUFFERS(BUFFER_COARSE_BLOCKS, BUFFER_COARSE_PARTS, BUFFER_COARSE_MATRIX,
                                   BUFFER_COARSE_DIAGONAL),
                           false},
    [KERNEL_COARSE_PIVOT] = {"coarse_pivot", COARSE_BLOCK, 1,
                             BUFFERS(BUFFER_COARSE_MATRIX, BUFFER_COARSE_DIAGONAL), false},
    [KERNEL_COARSE_ELIMINATE] = {"coarse_eliminate", COARSE_BLOCK, 2,
                                 BUFFERS(BUFFER_COARSE_MATRIX, BUFFER_COARSE_DIAGONAL), false},
    [KERNEL_COARSE_RESTRICT] = {"coarse_restrict", GROUP_COARSE, LINEAR_WORDS,
                                BUFFERS(BUFFER_PARTIALS, BUFFER_MATRIX_ROWS, BUFFER_ARMS, BUFFER_RESIDUAL),
                                false},
    [KERNEL_COARSE_FORWARD] = {"coarse_forward", GROUP_COARSE, LINEAR_WORDS,
                               BUFFERS(BUFFER_PARTIALS, BUFFER_COARSE_MATRIX, BUFFER_COARSE_REDUCED), false},
    [KERNEL_COARSE_UPDATE] = {"coarse_update", GROUP_COARSE, LINEAR_WORDS,
                              BUFFERS(BUFFER_CONTROL, BUFFER_PARTIALS, BUFFER_PRECONDITIONER,
                                      BUFFER_DIRECTION, BUFFER_PRODUCT, BUFFER_RESIDUAL, BUFFER_INCREMENT,
                                      BUFFER_MATRIX_ROWS, BUFFER_ARMS, BUFFER_COARSE_MATRIX,
                                      BUFFER_COARSE_REDUCED, BUFFER_BODY_ROOTS),
                              false},
    [KERNEL_SURFACE_VERTICES] = {"surface_vertices", GROUP_NODES, 5,
                                 BUFFERS(BUFFER_SURFACE_STARTS, BUFFER_SURFACE_NODES, BUFFER_SURFACE_WEIGHTS,
                                         BUFFER_SLOTS, BUFFER_INCREMENT, BUFFER_VERTICES,
                                         BUFFER_VERTEX_MOTION),
                                 false},
    [KERNEL_BARRIER_PLAN] = {"barrier_plan", 1, 5, BUFFERS(BUFFER_PAIR_CONTROL), true},
    [KERNEL_BARRIER_ACTIVE] = {"barrier_active", GROUP_PAIRS, 1,
                               BUFFERS(BUFFER_PAIR_CONTROL, BUFFER_CANDIDATES, BUFFER_CANDIDATE_NUMBERS,
                                       BUFFER_VERTICES, BUFFER_PLACES, BUFFER_ACTIVE),
                               false},
    [KERNEL_BARRIER_PAIRS] = {"barrier_pairs", GROUP_PAIRS, 0,
                              BUFFERS(BUFFER_PAIR_CONTROL, BUFFER_CANDIDATES, BUFFER_CANDIDATE_NUMBERS,
                                      BUFFER_VERTICES, BUFFER_ACTIVE, BUFFER_PAIR_CORNERS, BUFFER_PAIRS),
                              false},
    [KERNEL_BARRIER_ENTRIES] = {"barrier_entries", GROUP_PAIRS, 3,
                                BUFFERS(BUFFER_PAIR_CONTROL, BUFFER_PAIR_CORNERS, BUFFER_SURFACE_STARTS,
                                        BUFFER_SURFACE_NODES, BUFFER_PAIR_NODES, BUFFER_FLAGS,
                                        BUFFER_ENTRY_COUNTS, BUFFER_ENTRY_KEYS, BUFFER_SOURCES),
                                true},
    [KERNEL_BARRIER_HEADS] = {"barrier_heads", GROUP_PAIRS, 2,
                              BUFFERS(BUFFER_PAIR_CONTROL, BUFFER_ENTRY_KEYS, BUFFER_HEADS,
                                      BUFFER_BLOCK_STARTS),
                              true},
    [KERNEL_BARRIER_BLOCKS] = {"barrier_blocks", GROUP_PAIRS, 1,
                               BUFFERS(BUFFER_PAIR_CONTROL, BUFFER_PAIR_CORNERS, BUFFER_SURFACE_STARTS,
                                       BUFFER_SURFACE_NODES, BUFFER_SURFACE_WEIGHTS, BUFFER_PAIR_NODES,
                                       BUFFER_BLOCK_STARTS, BUFFER_SOURCES, BUFFER_PAIRS,
                                       BUFFER_NODE_GRADIENT, BUFFER_PRECONDITIONER, BUFFER_CHANGING_ROWS,
                                       BUFFER_CHANGING_COLUMNS, BUFFER_CHANGING_BLOCKS),
                               false},
    [KERNEL_BARRIER_FILTER] = {"barrier_filter", GROUP_PAIRS, 0,
                               BUFFERS(BUFFER_PAIR_CONTROL, BUFFER_CANDIDATES, BUFFER_CANDIDATE_NUMBERS,
                                       BUFFER_VERTICES, BUFFER_VERTEX_MOTION, BUFFER_PLACES,
                                       BUFFER_DIAGNOSIS),
                               false},
    [KERNEL_BARRIER_FILTER_EXACT] = {"barrier_filter_exact", GROUP_PAIRS, 0,
                                     BUFFERS(BUFFER_PAIR_CONTROL, BUFFER_CANDIDATES, BUFFER_CANDIDATE_NUMBERS,
                                             BUFFER_VERTICES, BUFFER_VERTEX_MOTION, BUFFER_PLACES,
                                             BUFFER_DIAGNOSIS),
                                     false},
    [KERNEL_BARRIER_TRIALS] = {"barrier_trials", GROUP_PAIRS, 1,
                               BUFFERS(BUFFER_PAIR_CONTROL, BUFFER_CANDIDATES, BUFFER_CANDIDATE_NUMBERS,
                                       BUFFER_VERTICES, BUFFER_VERTEX_MOTION, BUFFER_DIAGNOSIS,
                                       BUFFER_INDICES),
                               false},
    [KERNEL_BARRIER_MEASURE] = {"barrier_measure", GROUP_PAIRS, 1,
                                BUFFERS(BUFFER_PAIR_CONTROL, BUFFER_CANDIDATES, BUFFER_CANDIDATE_NUMBERS,
                                        BUFFER_VERTICES, BUFFER_DIAGNOSIS),
                                false},
    [KERNEL_PENALTY_PAIRS] = {"penalty_pairs", GROUP_PAIRS, 2,
                              BUFFERS(BUFFER_PAIR_CONTROL, BUFFER_SCALARS, BUFFER_PLANES,
                                      BUFFER_SURFACE_STARTS, BUFFER_SURFACE_NODES, BUFFER_FLAGS,
                                      BUFFER_VERTICES, BUFFER_PLACES, BUFFER_PAIR_CORNERS, BUFFER_PAIRS),
                              false},
    [KERNEL_PENALTY_TRIALS] = {"penalty_trials", GROUP_PAIRS, 2,
                               BUFFERS(BUFFER_PAIR_CONTROL, BUFFER_SCALARS, BUFFER_PLANES,
                                       BUFFER_SURFACE_STARTS, BUFFER_SURFACE_NODES, BUFFER_FLAGS,
                                       BUFFER_VERTICES, BUFFER_VERTEX_MOTION, BUFFER_DIAGNOSIS,
                                       BUFFER_INDICES),
                               false},
    [KERNEL_PENALTY_MEASURE] = {"penalty_measure", GROUP_PAIRS, 1,
                                BUFFERS(BUFFER_PAIR_CONTROL, BUFFER_SCALARS, BUFFER_PLANES,
                                        BUFFER_SURFACE_STARTS, BUFFER_SURFACE_NODES, BUFFER_FLAGS,
                                        BUFFER_VERTICES, BUFFER_DIAGNOSIS),
                                false},
    [KERNEL_PENALTY_LAG] = {"penalty_lag", GROUP_PAIRS, 4,
                            BUFFERS(BUFFER_PAIR_CONTROL, BUFFER_SCALARS, BUFFER_PLANES, BUFFER_SURFACE_STARTS,
                                    BUFFER_SURFACE_NODES, BUFFER_FLAGS, BUFFER_VERTICES, BUFFER_SIDES,
                                    BUFFER_COEFFICIENTS, BUFFER_DRIFTS, BUFFER_PLACES, BUFFER_ACTIVE,
                                    BUFFER_FRICTION_VERTICES, BUFFER_FRICTION),
                            false},
    [KERNEL_PENALTY_SOLVED] = {"penalty_solved", GROUP_PAIRS, 5,
                               BUFFERS(BUFFER_PAIR_CONTROL, BUFFER_SCALARS, BUFFER_PLANES, BUFFER_SPLIT,
                                       BUFFER_SURFACE_STARTS, BUFFER_SURFACE_NODES, BUFFER_FLAGS,
                                       BUFFER_SLOTS, BUFFER_PLACES, BUFFER_ACTIVE, BUFFER_FRICTION_VERTICES,
                                       BUFFER_FRICTION),
                               false},
    [KERNEL_FRICTION_LAG] = {"friction_lag", GROUP_PAIRS, 8,
                             BUFFERS(BUFFER_PAIR_CONTROL, BUFFER_CANDIDATES, BUFFER_CANDIDATE_NUMBERS,
                                     BUFFER_VERTICES, BUFFER_ACTIVE, BUFFER_FRICTION_VERTICES,
                                     BUFFER_FRICTION, BUFFER_SIDES, BUFFER_COEFFICIENTS, BUFFER_TURNS,
                                     BUFFER_SURFACE_STARTS, BUFFER_SURFACE_NODES, BUFFER_SURFACE_WEIGHTS,
                                     BUFFER_SLOTS),
                             false},
    [KERNEL_FRICTION_PAIRS] = {"friction_pairs", GROUP_PAIRS, 7,
                               BUFFERS(BUFFER_PAIR_CONTROL, BUFFER_FRICTION_VERTICES, BUFFER_FRICTION,
                                       BUFFER_SURFACE_STARTS, BUFFER_SURFACE_NODES, BUFFER_SURFACE_WEIGHTS,
                                       BUFFER_SLOTS, BUFFER_PAIR_CORNERS, BUFFER_PAIRS),
                               false},
    [KERNEL_FRICTION_TRIALS] = {"friction_trials", GROUP_PAIRS, 8,
                                BUFFERS(BUFFER_PAIR_CONTROL, BUFFER_FRICTION_VERTICES, BUFFER_FRICTION,
                                        BUFFER_SURFACE_STARTS, BUFFER_SURFACE_NODES, BUFFER_SURFACE_WEIGHTS,
                                        BUFFER_SLOTS, BUFFER_VERTEX_MOTION, BUFFER_DIAGNOSIS, BUFFER_INDICES),
                                false},
    [KERNEL_FRICTION_LOSS] = {"friction_loss", GROUP_PAIRS, 11,
                              BUFFERS(BUFFER_PAIR_CONTROL, BUFFER_FRICTION_VERTICES, BUFFER_FRICTION,
                                      BUFFER_SURFACE_STARTS, BUFFER_SURFACE_NODES, BUFFER_SURFACE_WEIGHTS,
                                      BUFFER_SLOTS, BUFFER_FLAGS, BUFFER_DIAGNOSIS),
                              false},
    [KERNEL_COARSE_GROUPS] = {"coarse_groups", GROUP_PAIRS, 1,
                              BUFFERS(BUFFER_PAIR_CONTROL, BUFFER_CHANGING_COLUMNS, BUFFER_GROUP_OF,
                                      BUFFER_ENTRY_KEYS, BUFFER_SOURCES),
                              true},
    [KERNEL_COARSE_CONTACT] = {"coarse_contact", GROUP_COARSE, 1,
                               BUFFERS(BUFFER_PAIR_CONTROL, BUFFER_ENTRY_KEYS, BUFFER_SOURCES,
                                       BUFFER_CHANGING_COLUMNS, BUFFER_CHANGING_BLOCKS, BUFFER_ARMS,
                                       BUFFER_COARSE_MATRIX, BUFFER_COARSE_DIAGONAL),
                               false},
    [KERNEL_CONTACT_ACCELERATION] = {"contact_acceleration", GROUP_NODES, 3,
                                     BUFFERS(BUFFER_FLAGS, BUFFER_NODE_GRADIENT, BUFFER_SLOTS, BUFFER_MASSES,
                                             BUFFER_MASS_LISTS, BUFFER_MASS_BLOCKS, BUFFER_PARTIAL_PINS),
                                     false},
    [KERNEL_DAMPING_LINEARIZE] = {"damping_linearize", GROUP_NODES, 6,
                                  BUFFERS(BUFFER_FLAGS, BUFFER_MATRIX_ROWS, BUFFER_COLUMNS,
                                          BUFFER_DAMPING_FIRST_ROWS, BUFFER_DAMPING_SECOND_ROWS,
                                          BUFFER_DAMPING_THIRD_ROWS, BUFFER_DAMPING_DRAG, BUFFER_SLOTS,
                                          BUFFER_FIRST_ROWS, BUFFER_SECOND_ROWS, BUFFER_THIRD_ROWS,
                                          BUFFER_NODE_GRADIENT, BUFFER_DAMPING_FORCE),
                                  false},
    [KERNEL_DAMPING_TRIALS] = {"damping_trials", GROUP_NODES, 5,
                               BUFFERS(BUFFER_FLAGS, BUFFER_MATRIX_ROWS, BUFFER_COLUMNS,
                                       BUFFER_DAMPING_FIRST_ROWS, BUFFER_DAMPING_SECOND_ROWS,
                                       BUFFER_DAMPING_THIRD_ROWS, BUFFER_DAMPING_DRAG, BUFFER_INCREMENT,
                                       BUFFER_DAMPING_FORCE, BUFFER_DIAGNOSIS, BUFFER_INDICES),
                               false},
    [KERNEL_DAMPING_NODES] = {"damping_nodes", GROUP_NODES, 9,
                              BUFFERS(BUFFER_FLAGS, BUFFER_INCIDENCE_START, BUFFER_CORNER_FORCES,
                                      BUFFER_SLOTS, BUFFER_DAMPING_DRAG, BUFFER_NODE_GRADIENT,
                                      BUFFER_DIAGNOSIS),
                              false},
    [KERNEL_CORNER_SUMS] = {"corner_sums", GROUP_NODES, 3,
                            BUFFERS(BUFFER_FLAGS, BUFFER_INCIDENCE_START, BUFFER_CORNER_FORCES,
                                    BUFFER_NODE_GRADIENT),
                            false},
    [KERNEL_SHAPE_SUMS] = {"corner_sums", GROUP_NODES, 3,
                           BUFFERS(BUFFER_FLAGS, BUFFER_INCIDENCE_START, BUFFER_CORNER_FORCES,
                                   BUFFER_SHAPE_FORCE),
                           false},
    [KERNEL_SHAPE_LINEARIZE] = {"shape_linearize", GROUP_NODES, 1,
                                BUFFERS(BUFFER_SHAPE_FORCE, BUFFER_NODE_GRADIENT), false},
    [KERNEL_SHAPE_TRIALS] = {"shape_trials", GROUP_NODES, 2,
                             BUFFERS(BUFFER_SHAPE_FORCE, BUFFER_INCREMENT, BUFFER_DIAGNOSIS, BUFFER_INDICES),
                             false},
    [KERNEL_RIGID_LINEARIZE] = {"damping_linearize", GROUP_NODES, 6,
                                BUFFERS(BUFFER_FLAGS, BUFFER_MATRIX_ROWS, BUFFER_COLUMNS,
                                        BUFFER_RIGID_FIRST_ROWS, BUFFER_RIGID_SECOND_ROWS,
                                        BUFFER_RIGID_THIRD_ROWS, BUFFER_RIGID_DRAG, BUFFER_SLOTS,
                                        BUFFER_FIRST_ROWS, BUFFER_SECOND_ROWS, BUFFER_THIRD_ROWS,
                                        BUFFER_RIGID_FORCE, BUFFER_RIGID_PRODUCT),
                                false},
    [KERNEL_RIGID_TRIALS] = {"damping_trials", GROUP_NODES, 5,
                             BUFFERS(BUFFER_FLAGS, BUFFER_MATRIX_ROWS, BUFFER_COLUMNS,
                                     BUFFER_RIGID_FIRST_ROWS, BUFFER_RIGID_SECOND_ROWS,
                                     BUFFER_RIGID_THIRD_ROWS, BUFFER_RIGID_DRAG, BUFFER_RIGID_INCREMENT,
                                     BUFFER_RIGID_PRODUCT, BUFFER_DIAGNOSIS, BUFFER_INDICES),
                             false},
    [KERNEL_RIGID_NODES] = {"damping_nodes", GROUP_NODES, 9,
                            BUFFERS(BUFFER_FLAGS, BUFFER_INCIDENCE_START, BUFFER_CORNER_FORCES, BUFFER_SLOTS,
                                    BUFFER_RIGID_DRAG, BUFFER_RIGID_FORCE, BUFFER_DIAGNOSIS),
                            false},
    [KERNEL_RIGID_SUMS] = {"rigid_sums", GROUP_NODES, RIGID_PUSH_WORDS,
                           BUFFERS(BUFFER_SLOTS, BUFFER_MASSES, BUFFER_INCREMENT, BUFFER_RIGID_FORCE,
                                   BUFFER_INCIDENCE_START, BUFFER_CORNER_FORCES, BUFFER_RIGID_CHUNKS,
                                   BUFFER_RIGID_SUMS),
                           false},
    [KERNEL_RIGID_REMOVE] = {"rigid_remove", GROUP_NODES, RIGID_PUSH_WORDS,
                             BUFFERS(BUFFER_SLOTS, BUFFER_MASSES, BUFFER_INCREMENT, BUFFER_RIGID_FORCE,
                                     BUFFER_INCIDENCE_START, BUFFER_CORNER_FORCES, BUFFER_RIGID_CHUNKS,
                                     BUFFER_RIGID_SUMS, BUFFER_RIGID_INCREMENT, BUFFER_NODE_GRADIENT),
                             false},
    [KERNEL_AIR_VERTICES] = {"air_vertices", GROUP_NODES, 3,
                             BUFFERS(BUFFER_SURFACE_STARTS, BUFFER_SURFACE_NODES, BUFFER_SURFACE_WEIGHTS,
                                     BUFFER_SLOTS, BUFFER_AIR_STARTS, BUFFER_AIR_FACETS, BUFFER_AIR_FACTORS,
                                     BUFFER_AIR_BLOCKS),
                             false},
    [KERNEL_AIR_OTHER_VERTICES] = {"air_vertices", GROUP_NODES, 3,
                                   BUFFERS(BUFFER_SURFACE_STARTS, BUFFER_SURFACE_NODES,
                                           BUFFER_SURFACE_WEIGHTS, BUFFER_SLOTS, BUFFER_AIR_STARTS,
                                           BUFFER_AIR_FACETS, BUFFER_AIR_FACTORS, BUFFER_AIR_OTHER_BLOCKS),
                                   false},
    [KERNEL_AIR_LINEARIZE] = {"air_linearize", GROUP_NODES, AIR_WORDS - 1,
                              BUFFERS(BUFFER_SURFACE_STARTS, BUFFER_SURFACE_NODES, BUFFER_SURFACE_WEIGHTS,
                                      BUFFER_SLOTS, BUFFER_FLAGS, BUFFER_AIR_STARTS, BUFFER_AIR_TERMS,
                                      BUFFER_AIR_ENTRIES, BUFFER_AIR_BLOCKS, BUFFER_FIRST_ROWS,
                                      BUFFER_SECOND_ROWS, BUFFER_THIRD_ROWS, BUFFER_NODE_GRADIENT),
                              false},
    [KERNEL_AIR_TRIALS] = {"air_trials", GROUP_NODES, AIR_WORDS - 1,
                           BUFFERS(BUFFER_SURFACE_STARTS, BUFFER_SURFACE_NODES, BUFFER_SURFACE_WEIGHTS,
                                   BUFFER_SLOTS, BUFFER_AIR_BLOCKS, BUFFER_INCREMENT, BUFFER_DIAGNOSIS,
                                   BUFFER_INDICES),
                           false},
    [KERNEL_AIR_NODES] = {"air_nodes", GROUP_NODES, AIR_WORDS,
                          BUFFERS(BUFFER_SURFACE_STARTS, BUFFER_SURFACE_NODES, BUFFER_SURFACE_WEIGHTS,
                                  BUFFER_SLOTS, BUFFER_FLAGS, BUFFER_AIR_STARTS, BUFFER_AIR_TERMS,
                                  BUFFER_AIR_OTHER_BLOCKS, BUFFER_NODE_GRADIENT, BUFFER_DIAGNOSIS),
                          false},
    [KERNEL_DAMPING_BLOCKS] = {"damping_blocks", GROUP_ELEMENTS, 4,
                               BUFFERS(BUFFER_BLOCK_START, BUFFER_CONTRIBUTIONS, BUFFER_ELEMENT_DATA,
                                       BUFFER_DAMPING_FIRST_ROWS, BUFFER_DAMPING_SECOND_ROWS,
                                       BUFFER_DAMPING_THIRD_ROWS),
                               false},
    [KERNEL_RIGID_BLOCKS] = {"damping_blocks", GROUP_ELEMENTS, 4,
                             BUFFERS(BUFFER_BLOCK_START, BUFFER_CONTRIBUTIONS, BUFFER_ELEMENT_DATA,
                                     BUFFER_RIGID_FIRST_ROWS, BUFFER_RIGID_SECOND_ROWS,
                                     BUFFER_RIGID_THIRD_ROWS),
                             false},
    [KERNEL_DAMPING_FORCES] = {"damping_forces", GROUP_ELEMENTS, ELEMENT_WORDS,
                               BUFFERS(BUFFER_SLOTS, BUFFER_ELEMENT_NODES, BUFFER_CORNER_PLACES,
                                       BUFFER_ELEMENT_DATA, BUFFER_CORNER_FORCES, BUFFER_DIAGNOSIS),
                               false},
    [KERNEL_POWER_LAW_AXES] = {"power_law_axes", GROUP_ELEMENTS, LAW_WORDS,
                               BUFFERS(BUFFER_SLOTS, BUFFER_ELEMENT_NODES, BUFFER_SHAPES,
                                       BUFFER_DAMPING_LISTS, BUFFER_DAMPING_NUMBERS, BUFFER_LAW_RECORDS),
                               false},
    [KERNEL_POWER_LAW_OTHER_AXES] = {"power_law_axes", GROUP_ELEMENTS, LAW_WORDS,
                                     BUFFERS(BUFFER_SLOTS, BUFFER_ELEMENT_NODES, BUFFER_SHAPES,
                                             BUFFER_DAMPING_LISTS, BUFFER_DAMPING_NUMBERS,
                                             BUFFER_ELEMENT_DATA),
                                     false},
    [KERNEL_POWER_LAW_LINEARIZE] = {"power_law_linearize", GROUP_ELEMENTS, LAW_WORDS,
                                    BUFFERS(BUFFER_SLOTS, BUFFER_ELEMENT_NODES, BUFFER_CORNER_PLACES,
                                            BUFFER_DAMPING_LISTS, BUFFER_DAMPING_NUMBERS, BUFFER_LAW_RECORDS,
                                            BUFFER_CORNER_FORCES, BUFFER_FLAGS),
                                    false},
    [KERNEL_POWER_LAW_BLOCKS] = {"power_law_blocks", GROUP_ELEMENTS, 6,
                                 BUFFERS(BUFFER_BLOCK_START, BUFFER_CONTRIBUTIONS, BUFFER_LAW_RECORDS,
                                         BUFFER_FIRST_ROWS, BUFFER_SECOND_ROWS, BUFFER_THIRD_ROWS),
                                 false},
    [KERNEL_POWER_LAW_FORCES] = {"power_law_forces", GROUP_ELEMENTS, LAW_WORDS,
                                 BUFFERS(BUFFER_SLOTS, BUFFER_ELEMENT_NODES, BUFFER_CORNER_PLACES,
                                         BUFFER_DAMPING_LISTS, BUFFER_DAMPING_NUMBERS, BUFFER_ELEMENT_DATA,
                                         BUFFER_CORNER_FORCES, BUFFER_DIAGNOSIS),
                                 false},
    [KERNEL_POWER_LAW_TRIALS] = {"power_law_trials", GROUP_ELEMENTS, LAW_WORDS,
                                 BUFFERS(BUFFER_SLOTS, BUFFER_ELEMENT_NODES, BUFFER_DAMPING_LISTS,
                                         BUFFER_DAMPING_NUMBERS, BUFFER_LAW_RECORDS, BUFFER_INCREMENT,
                                         BUFFER_DIAGNOSIS, BUFFER_INDICES),
                                 false},
    [KERNEL_POWER_LAW_RIGID_TRIALS] = {"power_law_trials", GROUP_ELEMENTS, LAW_WORDS,
                                       BUFFERS(BUFFER_SLOTS, BUFFER_ELEMENT_NODES, BUFFER_DAMPING_LISTS,
                                               BUFFER_DAMPING_NUMBERS, BUFFER_LAW_RECORDS,
                                               BUFFER_RIGID_INCREMENT, BUFFER_DIAGNOSIS, BUFFER_INDICES),
                                       false},
    [KERNEL_POWER_LAW_SHAPE] = {"power_law_shape", GROUP_ELEMENTS, LAW_WORDS,
                                BUFFERS(BUFFER_SLOTS, BUFFER_ELEMENT_NODES, BUFFER_CORNER_PLACES,
                                        BUFFER_SHAPES, BUFFER_DAMPING_LISTS, BUFFER_DAMPING_NUMBERS,
                                        BUFFER_ELEMENT_DATA, BUFFER_CORNER_FORCES),
                                false},
    [KERNEL_DAMPING_SHAPE] = {"damping_shape", GROUP_ELEMENTS, SHAPE_WORDS,
                              BUFFERS(BUFFER_SLOTS, BUFFER_ELEMENT_NODES, BUFFER_CORNER_PLACES, BUFFER_SHAPES,
                                      BUFFER_PARAMETERS, BUFFER_DAMPING_LISTS, BUFFER_DAMPING_NUMBERS,
                                      BUFFER_ELEMENT_DATA, BUFFER_CORNER_FORCES),
                              false},
    [KERNEL_VARIATIONAL_REST] = {"variational_rest", GROUP_ELEMENTS, SHAPE_WORDS,
                                 BUFFERS(BUFFER_SLOTS, BUFFER_ELEMENT_NODES, BUFFER_PARAMETERS,
                                         BUFFER_DAMPING_LISTS, BUFFER_DAMPING_NUMBERS,
                                         BUFFER_VARIATIONAL_SHAPES, BUFFER_VARIATIONAL_PARAMETERS),
                                 false},
    [KERNEL_VARIATIONAL_BOUND] = {"newton_bound", GROUP_ELEMENTS, ELEMENT_WORDS,
                                  BUFFERS(BUFFER_SLOTS, BUFFER_ELEMENT_NODES, BUFFER_VARIATIONAL_SHAPES,
                                          BUFFER_INCREMENT, BUFFER_DIAGNOSIS),
                                  false},
    [KERNEL_VARIATIONAL_BLOCKS] = {"newton_blocks", GROUP_ELEMENTS, 4,
                                   BUFFERS(BUFFER_BLOCK_START, BUFFER_CONTRIBUTIONS, BUFFER_VARIATIONAL_DATA,
                                           BUFFER_FIRST_ROWS, BUFFER_SECOND_ROWS, BUFFER_THIRD_ROWS),
                                   false},
    [KERNEL_VARIATIONAL_FORCES] = {"element_forces", GROUP_ELEMENTS, ELEMENT_WORDS,
                                   BUFFERS(BUFFER_SLOTS, BUFFER_ELEMENT_NODES, BUFFER_CORNER_PLACES,
                                           BUFFER_VARIATIONAL_SHAPES, BUFFER_VARIATIONAL_PARAMETERS,
                                           BUFFER_CORNER_FORCES),
                                   false},
    [KERNEL_VARIATIONAL_ELEMENTS] = {"newton_elements", GROUP_ELEMENTS, ELEMENT_WORDS,
                                     BUFFERS(BUFFER_SLOTS, BUFFER_ELEMENT_NODES, BUFFER_CORNER_PLACES,
                                             BUFFER_VARIATIONAL_SHAPES, BUFFER_VARIATIONAL_PARAMETERS,
                                             BUFFER_CORNER_FORCES, BUFFER_VARIATIONAL_DATA),
                                     false},
    [KERNEL_VARIATIONAL_TRIALS] = {"newton_trial_elements", GROUP_ELEMENTS, ELEMENT_WORDS,
                                   BUFFERS(BUFFER_SLOTS, BUFFER_ELEMENT_NODES, BUFFER_VARIATIONAL_SHAPES,
                                           BUFFER_VARIATIONAL_PARAMETERS, BUFFER_INCREMENT,
                                           BUFFER_VARIATIONAL_DATA, BUFFER_DIAGNOSIS, BUFFER_INDICES),
                                   false},
    [KERNEL_DAMPING_ELEMENTS] = {"damping_elements", GROUP_ELEMENTS, ELEMENT_WORDS,
                                 BUFFERS(BUFFER_SLOTS, BUFFER_ELEMENT_NODES, BUFFER_SHAPES, BUFFER_PARAMETERS,
                                         BUFFER_DAMPING_LISTS, BUFFER_DAMPING_NUMBERS, BUFFER_ELEMENT_DATA),
                                 false},
    [KERNEL_CG_PREPARE] = {"cg_prepare", GROUP_NODES, 1,
                           BUFFERS(BUFFER_SCALARS, BUFFER_FLAGS, BUFFER_DIAGONAL, BUFFER_PRECONDITIONER,
                                   BUFFER_PARTIAL_PINS, BUFFER_MASSES),
                           false},
    [KERNEL_CG_APPLY] = {"cg_apply", GROUP_CG, 3,
                         BUFFERS(BUFFER_CONTROL, BUFFER_SCALARS, BUFFER_PARTIALS, BUFFER_FLAGS,
                                 BUFFER_MATRIX_ROWS, BUFFER_COLUMNS, BUFFER_VALUES, BUFFER_PRECONDITIONER,
                                 BUFFER_DIRECTION, BUFFER_PRODUCT, BUFFER_PARTIAL_PINS, BUFFER_MASSES,
                                 BUFFER_NODE_GRADIENT),
                         false},
    [KERNEL_CG_UPDATE] = {"cg_update", GROUP_CG, LINEAR_WORDS,
                          BUFFERS(BUFFER_CONTROL, BUFFER_PARTIALS, BUFFER_PRECONDITIONER, BUFFER_DIRECTION,
                                  BUFFER_PRODUCT, BUFFER_RESIDUAL, BUFFER_INCREMENT, BUFFER_MATRIX_ROWS,
                                  BUFFER_BODY_ROOTS),
                          false},
    [KERNEL_ADMM_RESUME] = {"admm_resume", 1, 3, BUFFERS(BUFFER_CONTROL), true},
    [KERNEL_ADMM_RESCALE] = {"admm_rescale", GROUP_ELEMENTS, 2, BUFFERS(BUFFER_CONTROL, BUFFER_LOCALS),
                             false},
    [KERNEL_ADMM_BEGIN_NODES] = {"admm_begin_nodes", GROUP_NODES, 9,
                                 BUFFERS(BUFFER_SCALARS, BUFFER_FLAGS, BUFFER_SLOTS, BUFFER_PLANES,
                                         BUFFER_SPLIT, BUFFER_MASSES, BUFFER_SIDES, BUFFER_COEFFICIENTS,
                                         BUFFER_DRIFTS),
                                 false},
    [KERNEL_ADMM_BEGIN_ELEMENTS] = {"admm_begin_elements", GROUP_ELEMENTS, ELEMENT_WORDS,
                                    BUFFERS(BUFFER_SLOTS, BUFFER_ELEMENT_NODES, BUFFER_SHAPES, BUFFER_LOCALS),
                                    false},
    [KERNEL_ADMM_RIGHT] = {"admm_right", GROUP_CG, 6,
                           BUFFERS(BUFFER_CONTROL, BUFFER_SCALARS, BUFFER_PARTIALS, BUFFER_FLAGS,
                                   BUFFER_INCIDENCE_START, BUFFER_CORNER_FORCES, BUFFER_SLOTS, BUFFER_MASSES,
                                   BUFFER_PLANES, BUFFER_SPLIT, BUFFER_PRECONDITIONER, BUFFER_RESIDUAL,
                                   BUFFER_DIRECTION, BUFFER_INCREMENT, BUFFER_PARTIAL_PINS, BUFFER_LOADS),
                           false},
    [KERNEL_ADMM_ADVANCE] = {"admm_advance", GROUP_NODES, 5,
                             BUFFERS(BUFFER_CONTROL, BUFFER_SCALARS, BUFFER_PARTIALS, BUFFER_FLAGS,
                                     BUFFER_SLOTS, BUFFER_PLANES, BUFFER_SPLIT, BUFFER_INCREMENT,
                                     BUFFER_PARTIAL_PINS, BUFFER_MASSES),
                             false},
    [KERNEL_ADMM_RESIDUAL] = {"admm_residual", GROUP_ELEMENTS, ELEMENT_WORDS,
                              BUFFERS(BUFFER_CONTROL, BUFFER_SCALARS, BUFFER_PARTIALS, BUFFER_SLOTS,
                                      BUFFER_ELEMENT_NODES, BUFFER_SHAPES, BUFFER_PARAMETERS, BUFFER_LOCALS,
                                      BUFFER_RESIDUAL_DIFFERENCES, BUFFER_IMAGE_DIFFERENCES),
                              false},
    [KERNEL_ADMM_CONTROL] = {"admm_control", GROUP_CONTROL, 7,
                             BUFFERS(BUFFER_CONTROL, BUFFER_SCALARS, BUFFER_PARTIALS), false},
    [KERNEL_ADMM_DUAL_NODES] = {"admm_dual_nodes", GROUP_NODES, 4,
                                BUFFERS(BUFFER_SCALARS, BUFFER_PARTIALS, BUFFER_FLAGS, BUFFER_INCIDENCE_START,
                                        BUFFER_CORNER_FORCES, BUFFER_SLOTS, BUFFER_MASSES, BUFFER_PLANES,
                                        BUFFER_SPLIT, BUFFER_PARTIAL_PINS, BUFFER_LOADS),
                                false},
    [KERNEL_ADMM_DUAL_ELEMENTS] = {"admm_dual_elements", GROUP_ELEMENTS, ELEMENT_WORDS,
                                   BUFFERS(BUFFER_SCALARS, BUFFER_CORNER_PLACES, BUFFER_SHAPES,
                                           BUFFER_PARAMETERS, BUFFER_LOCALS, BUFFER_CORNER_FORCES),
                                   false},
    [KERNEL_ADMM_DECIDE] = {"admm_decide", GROUP_CG, 0,
                            BUFFERS(BUFFER_CONTROL, BUFFER_SCALARS, BUFFER_PARTIALS), false},
    [KERNEL_ADMM_AIR_BEGIN] = {"admm_air_begin", GROUP_NODES, 5,
                               BUFFERS(BUFFER_SURFACE_STARTS, BUFFER_SURFACE_NODES, BUFFER_SURFACE_WEIGHTS,
                                       BUFFER_SLOTS, BUFFER_AIR_WEIGHTS, BUFFER_AIR_COPIES),
                               false},
    [KERNEL_ADMM_AIR_PROJECT] = {"admm_air_project", GROUP_CG, 8,
                                 BUFFERS(BUFFER_CONTROL, BUFFER_SCALARS, BUFFER_AIR_BLOCKS,
                                         BUFFER_AIR_WEIGHTS, BUFFER_AIR_COPIES),
                                 false},
    [KERNEL_ADMM_AIR_FORCES] = {"admm_air_forces", GROUP_CG, 3,
                                BUFFERS(BUFFER_SURFACE_WEIGHTS, BUFFER_AIR_STARTS, BUFFER_AIR_TERMS,
                                        BUFFER_INCIDENCE_START, BUFFER_AIR_WEIGHTS, BUFFER_AIR_COPIES,
                                        BUFFER_CORNER_FORCES),
                                false},
    [KERNEL_ADMM_AIR_RESIDUAL] = {"admm_air_residual", GROUP_NODES, 5,
                                  BUFFERS(BUFFER_CONTROL, BUFFER_PARTIALS, BUFFER_SURFACE_STARTS,
                                          BUFFER_SURFACE_NODES, BUFFER_SURFACE_WEIGHTS, BUFFER_SLOTS,
                                          BUFFER_AIR_WEIGHTS, BUFFER_AIR_COPIES),
                                  false},
    [KERNEL_ADMM_RESCALE_COPIES] = {"admm_rescale", GROUP_ELEMENTS, 2, BUFFERS(BUFFER_CONTROL, BUFFER_COPIES),
                                    false},
    [KERNEL_ADMM_DRAG] = {"admm_drag", GROUP_CG, 2,
                          BUFFERS(BUFFER_SCALARS, BUFFER_SLOTS, BUFFER_INCIDENCE_START, BUFFER_DAMPING_DRAG,
                                  BUFFER_CORNER_FORCES),
                          false},
    [KERNEL_ADMM_SHAPE_FORCE] = {"admm_node_forces", GROUP_CG, 2,
                                 BUFFERS(BUFFER_INCIDENCE_START, BUFFER_SHAPE_FORCE, BUFFER_CORNER_FORCES),
                                 false},
    [KERNEL_ADMM_RIGID_SUMS] = {"rigid_sums", GROUP_NODES, RIGID_PUSH_WORDS,
                                BUFFERS(BUFFER_SLOTS, BUFFER_MASSES, BUFFER_DIRECTION, BUFFER_RIGID_FORCE,
                                        BUFFER_INCIDENCE_START, BUFFER_RIGID_CORNERS, BUFFER_RIGID_CHUNKS,
                                        BUFFER_RIGID_SUMS),
                                false},
    [KERNEL_ADMM_RIGID_REMOVE] = {"rigid_remove", GROUP_NODES, RIGID_PUSH_WORDS,
                                  BUFFERS(BUFFER_SLOTS, BUFFER_MASSES, BUFFER_DIRECTION, BUFFER_RIGID_FORCE,
                                          BUFFER_INCIDENCE_START, BUFFER_RIGID_CORNERS, BUFFER_RIGID_CHUNKS,
                                          BUFFER_RIGID_SUMS, BUFFER_RIGID_INCREMENT, BUFFER_NODE_GRADIENT),
                                  false},
    [KERNEL_ADMM_RIGID_PRODUCT] = {"admm_rigid_product", GROUP_CG, 1,
                                   BUFFERS(BUFFER_MATRIX_ROWS, BUFFER_COLUMNS, BUFFER_RIGID_VALUES,
                                           BUFFER_RIGID_INCREMENT, BUFFER_RIGID_FORCE),
                                   false},
    [KERNEL_ADMM_RIGID_DRAG] = {"admm_rigid_drag", GROUP_CG, 2,
                                BUFFERS(BUFFER_SCALARS, BUFFER_SLOTS, BUFFER_RIGID_DRAG, BUFFER_RIGID_FORCE),
                                false},
    [KERNEL_ADMM_RIGID_FORCE] = {"admm_node_forces", GROUP_CG, 2,
                                 BUFFERS(BUFFER_INCIDENCE_START, BUFFER_NODE_GRADIENT, BUFFER_CORNER_FORCES),
                                 false},
    [KERNEL_ADMM_DAMPING_BEGIN] = {"admm_damping_begin", GROUP_ELEMENTS, COPY_WORDS,
                                   BUFFERS(BUFFER_SLOTS, BUFFER_ELEMENT_NODES, BUFFER_SHAPES,
                                           BUFFER_COPY_WEIGHTS, BUFFER_COPIES),
                                   false},
    [KERNEL_ADMM_DAMPING_PROJECT] = {"admm_damping_project", GROUP_ELEMENTS, COPY_WORDS,
                                     BUFFERS(BUFFER_CONTROL, BUFFER_SCALARS, BUFFER_CORNER_PLACES,
                                             BUFFER_SHAPES, BUFFER_DAMPING_LISTS, BUFFER_DAMPING_NUMBERS,
                                             BUFFER_COPY_WEIGHTS, BUFFER_COPY_SHAPES, BUFFER_COPIES,
                                             BUFFER_COPY_IMAGE_DIFFERENCES, BUFFER_CORNER_FORCES,
                                             BUFFER_RIGID_CORNERS),
                                     false},
    [KERNEL_ADMM_DAMPING_RESIDUAL] = {"admm_damping_residual", GROUP_ELEMENTS, COPY_WORDS,
                                      BUFFERS(BUFFER_CONTROL, BUFFER_SCALARS, BUFFER_PARTIALS, BUFFER_SLOTS,
                                              BUFFER_ELEMENT_NODES, BUFFER_SHAPES, BUFFER_COPY_WEIGHTS,
                                              BUFFER_COPIES, BUFFER_COPY_RESIDUAL_DIFFERENCES,
                                              BUFFER_COPY_IMAGE_DIFFERENCES),
                                      false},
    [KERNEL_ADMM_DAMPING_DUAL] = {"admm_damping_dual", GROUP_ELEMENTS, COPY_WORDS,
                                  BUFFERS(BUFFER_SCALARS, BUFFER_CORNER_PLACES, BUFFER_SHAPES,
                                          BUFFER_COPY_WEIGHTS, BUFFER_COPIES, BUFFER_CORNER_FORCES,
                                          BUFFER_RIGID_CORNERS),
                                  false},
    [KERNEL_ADMM_DAMPING_SHAPE] = {"admm_damping_shape", GROUP_ELEMENTS, COPY_WORDS,
                                   BUFFERS(BUFFER_SLOTS, BUFFER_ELEMENT_NODES, BUFFER_SHAPES,
                                           BUFFER_PARAMETERS, BUFFER_DAMPING_LISTS, BUFFER_DAMPING_NUMBERS,
                                           BUFFER_COPY_SHAPES),
                                   false},
    [KERNEL_ADMM_VARIATIONAL_PROJECT] = {"admm_variational_project", GROUP_ELEMENTS, COPY_WORDS,
                                         BUFFERS(BUFFER_CONTROL, BUFFER_SCALARS, BUFFER_CORNER_PLACES,
                                                 BUFFER_SHAPES, BUFFER_PARAMETERS, BUFFER_COPY_WEIGHTS,
                                                 BUFFER_COPY_SHAPES, BUFFER_COPIES,
                                                 BUFFER_COPY_IMAGE_DIFFERENCES, BUFFER_CORNER_FORCES),
                                         false},
    [KERNEL_ADMM_PROJECT] = {"admm_project", GROUP_ELEMENTS, ELEMENT_WORDS,
                             BUFFERS(BUFFER_CONTROL, BUFFER_SCALARS, BUFFER_CORNER_PLACES, BUFFER_SHAPES,
                                     BUFFER_PARAMETERS, BUFFER_LOCALS, BUFFER_IMAGE_DIFFERENCES,
                                     BUFFER_CORNER_FORCES),
                             false},
    [KERNEL_ELEMENT_FORCES] = {"element_forces", GROUP_ELEMENTS, ELEMENT_WORDS,
                               BUFFERS(BUFFER_SLOTS, BUFFER_ELEMENT_NODES, BUFFER_CORNER_PLACES,
                                       BUFFER_SHAPES, BUFFER_PARAMETERS, BUFFER_CORNER_FORCES),
                               false},
    [KERNEL_DIAGNOSE_ELEMENTS] = {"diagnose_elements", GROUP_ELEMENTS, ELEMENT_WORDS,
                                  BUFFERS(BUFFER_SLOTS, BUFFER_ELEMENT_NODES, BUFFER_ELEMENT_NUMBERS,
                                          BUFFER_SHAPES, BUFFER_PARAMETERS, BUFFER_DIAGNOSIS, BUFFER_INDICES),
                                  false},
    [KERNEL_ELEMENT_FIELDS] = {"element_fields", GROUP_ELEMENTS, ELEMENT_WORDS,
                               BUFFERS(BUFFER_SLOTS, BUFFER_ELEMENT_NODES, BUFFER_SHAPES, BUFFER_PARAMETERS,
                                       BUFFER_FIELDS),
                               false},
    [KERNEL_NEWTON_ELEMENTS] = {"newton_elements", GROUP_ELEMENTS, ELEMENT_WORDS,
                                BUFFERS(BUFFER_SLOTS, BUFFER_ELEMENT_NODES, BUFFER_CORNER_PLACES,
                                        BUFFER_SHAPES, BUFFER_PARAMETERS, BUFFER_CORNER_FORCES,
                                        BUFFER_ELEMENT_DATA),
                                false},
    [KERNEL_NEWTON_TRIAL_ELEMENTS] = {"newton_trial_elements", GROUP_ELEMENTS, ELEMENT_WORDS,
                                      BUFFERS(BUFFER_SLOTS, BUFFER_ELEMENT_NODES, BUFFER_SHAPES,
                                              BUFFER_PARAMETERS, BUFFER_INCREMENT, BUFFER_ELEMENT_DATA,
                                              BUFFER_DIAGNOSIS, BUFFER_INDICES),
                                      false},
};

/// Of damping that is linear.
static bool is_of_damping(int kernel)
{
    return kernel == KERNEL_DAMPING_LINEARIZE || kernel == KERNEL_DAMPING_TRIALS ||
           kernel == KERNEL_DAMPING_BLOCKS || kernel == KERNEL_DAMPING_FORCES ||
           kernel == KERNEL_DAMPING_ELEMENTS || kernel == KERNEL_DAMPING_SHAPE ||
           kernel == KERNEL_RIGID_BLOCKS;
}

static bool is_of_laws(int kernel)
{
    return kernel >= KERNEL_POWER_LAW_AXES && kernel <= KERNEL_POWER_LAW_SHAPE;
}

/// Of forms that are not lagged.
static bool is_of_forms(int kernel)
{
    return (kernel >= KERNEL_SHAPE_SUMS && kernel <= KERNEL_SHAPE_TRIALS) ||
           kernel == KERNEL_POWER_LAW_SHAPE || kernel == KERNEL_DAMPING_SHAPE ||
           kernel == KERNEL_ADMM_SHAPE_FORCE;
}

/// Of what sees no rigid motion.
static bool is_of_rigid_motions(int kernel)
{
    return (kernel >= KERNEL_RIGID_LINEARIZE && kernel <= KERNEL_RIGID_REMOVE) ||
           kernel == KERNEL_RIGID_BLOCKS || kernel == KERNEL_POWER_LAW_RIGID_TRIALS ||
           (kernel >= KERNEL_ADMM_RIGID_SUMS && kernel <= KERNEL_ADMM_RIGID_FORCE);
}

/// Of variational damping.
static bool is_variational(int kernel)
{
    return (kernel >= KERNEL_VARIATIONAL_REST && kernel <= KERNEL_VARIATIONAL_BLOCKS) ||
           (kernel >= KERNEL_VARIATIONAL_FORCES && kernel <= KERNEL_VARIATIONAL_TRIALS);
}

/// Of both, what only Newton's method works with.
static bool is_of_damped_newton(int kernel)
{
    return kernel == KERNEL_DAMPING_LINEARIZE || kernel == KERNEL_DAMPING_TRIALS ||
           kernel == KERNEL_DAMPING_BLOCKS || kernel == KERNEL_POWER_LAW_AXES ||
           kernel == KERNEL_POWER_LAW_LINEARIZE || kernel == KERNEL_POWER_LAW_BLOCKS ||
           kernel == KERNEL_POWER_LAW_TRIALS || kernel == KERNEL_POWER_LAW_RIGID_TRIALS ||
           kernel == KERNEL_RIGID_LINEARIZE || kernel == KERNEL_RIGID_TRIALS || kernel == KERNEL_RIGID_BLOCKS;
}

/// Of ADMM's copies for damping.
static bool is_of_copies(int kernel)
{
    return (kernel >= KERNEL_ADMM_RESCALE_COPIES && kernel <= KERNEL_ADMM_RIGID_FORCE) ||
           (kernel >= KERNEL_ADMM_DAMPING_BEGIN && kernel <= KERNEL_ADMM_DAMPING_DUAL) ||
           kernel == KERNEL_ADMM_DAMPING_SHAPE || kernel == KERNEL_ADMM_VARIATIONAL_PROJECT;
}

/// Whether a kernel of elements is asked for with elements of a kind.
static bool is_needed_of(const VulkanDevice *device, int kernel, int kind)
{
    const uint32_t kinds = is_of_damping(kernel)    ? device->damped_kinds
                           : is_of_laws(kernel)     ? device->law_kinds
                           : is_variational(kernel) ? device->variational_kinds
                                                    : UINT32_MAX;
    if (is_of_copies(kernel) && device->copies->places[kind].slots == 0)
        return false;
    if (kernel == KERNEL_ADMM_VARIATIONAL_PROJECT && !device->copies->places[kind].variational)
        return false;
    return device->places[kind].count > 0 && kinds >> kind & 1;
}

/// Kernels of the other solver, of another preconditioner, of contact or damping that is not are not made.
static bool is_needed(const VulkanDevice *device, int kernel)
{
    const bool of_newton = (kernel >= KERNEL_NEWTON_NODES && kernel <= KERNEL_NEWTON_ACCEPT) ||
                           kernel == KERNEL_NEWTON_BLOCKS || kernel == KERNEL_NEWTON_BOUND ||
                           kernel == KERNEL_NEWTON_ELEMENTS || kernel == KERNEL_NEWTON_TRIAL_ELEMENTS;
    const bool of_coarse = kernel >= KERNEL_COARSE_PARTS && kernel <= KERNEL_COARSE_UPDATE;
    const bool of_admm = (kernel >= KERNEL_CG_PREPARE && kernel <= KERNEL_ADMM_DECIDE) ||
                         (kernel >= KERNEL_ADMM_BEGIN_ELEMENTS && kernel <= KERNEL_ADMM_PROJECT);
    const bool of_contact = kernel >= KERNEL_SURFACE_VERTICES && kernel < KERNEL_CONTACT_ACCELERATION;
    const bool of_barrier = (kernel >= KERNEL_CONTACT_MEANS && kernel <= KERNEL_CONTACT_LIST) ||
                            (kernel >= KERNEL_BARRIER_ACTIVE && kernel <= KERNEL_BARRIER_MEASURE);
    const bool of_penalty = kernel >= KERNEL_PENALTY_PAIRS && kernel <= KERNEL_PENALTY_SOLVED;
    const bool of_friction = kernel >= KERNEL_PENALTY_LAG && kernel <= KERNEL_FRICTION_LOSS;
    const bool of_lag = kernel == KERNEL_FRICTION_LAG;
    const bool of_both = kernel == KERNEL_COARSE_GROUPS || kernel == KERNEL_COARSE_CONTACT;
    const bool of_bodies = kernel == KERNEL_NEWTON_TURN || kernel == KERNEL_NEWTON_WAY;
    const bool of_air = kernel >= KERNEL_AIR_VERTICES && kernel <= KERNEL_AIR_NODES;
    if ((is_of_rigid_motions(kernel) && device->rigid_chunks == 0) ||
        (is_of_forms(kernel) && device->shape_sides == 0))
        return false;
    if (is_of_damped_newton(kernel) && vulkan_solver(device) == SOLVER_ADMM)
        return false;
    if (kernel == KERNEL_ADMM_VARIATIONAL_PROJECT)
        return device->copies && device->variational_kinds != 0;
    if (kernel >= KERNEL_ADMM_AIR_BEGIN && kernel <= KERNEL_ADMM_AIR_RESIDUAL)
        return device->air_copies;
    if (is_of_copies(kernel))
        return device->copies;
    if (is_of_damping(kernel))
        return device->damped_kinds != 0;
    if (kernel == KERNEL_DAMPING_NODES)
        return (device->damped_kinds | device->law_kinds | device->variational_kinds) != 0;
    if (is_variational(kernel))
        return device->variational_kinds != 0 &&
               (vulkan_solver(device) == SOLVER_NEWTON || kernel == KERNEL_VARIATIONAL_REST ||
                kernel == KERNEL_VARIATIONAL_FORCES);
    if (kernel == KERNEL_CORNER_SUMS)
        return (device->shape_sides | device->variational_kinds) != 0;
    if ((is_of_rigid_motions(kernel) || is_of_forms(kernel)) && !is_of_laws(kernel))
        return true;
    if (is_of_laws(kernel))
        return device->law_kinds != 0;
    if (of_air)
        return air_is_there(device->base.model) &&
               (vulkan_solver(device) == SOLVER_NEWTON ||
                (kernel != KERNEL_AIR_LINEARIZE && kernel != KERNEL_AIR_TRIALS));
    if (kernel == KERNEL_CONTACT_ACCELERATION)
        return device->base.model->is_damped || device->contact;
    if ((of_bodies && device->base.model->order.coupled_count == 0) || (of_contact && !device->contact) ||
        ((of_barrier || of_lag) && !device->broad_phase) || (of_penalty && device->broad_phase) ||
        (of_friction && !device->base.model->contact.has_friction))
        return false;
    if (kernel == KERNEL_PENALTY_SOLVED)
        return vulkan_solver(device) == SOLVER_ADMM;
    if (vulkan_solver(device) == SOLVER_ADMM)
        return !of_newton && !of_coarse && !of_both;
    const bool two_level = device->base.model->scene->solver.preconditioner == PRECONDITIONER_TWO_LEVEL;
    return !of_admm && (two_level ? kernel != KERNEL_CG_UPDATE : !of_coarse && !of_both);
}

void vulkan_kernel_shader(const KernelRow *row, const char *kind, bool f64, char *shader, size_t size)
{
    snprintf(shader, size, "compute/%s%s%s%s", row->name, kind ? "_" : "", kind ? kind : "",
             f64 && !row->any_precision ? "_f64" : "");
}

static void find_buffers(const VulkanDevice *device, const KernelRow *row,
                         const GpuBuffer *buffers[GPU_MAX_BINDINGS])
{
    for (int32_t i = 0; i < row->buffer_count; ++i)
        buffers[i] = vulkan_buffer(device, row->buffers[i]);
}

/// `constant`: what a kernel is specialized by; an energy model, or whether surface vertices are sums of several nodes. The second
/// constant: whether there are bodies with coupled masses.
static VelaResult create(VulkanDevice *device, int row_number, const char *kind, int32_t constant,
                         GpuBinding *binding)
{
    const KernelRow *row = &vulkan_kernel_rows[row_number];
    char shader[64];
    vulkan_kernel_shader(row, kind, device->f64, shader, sizeof shader);
    const GpuKernelDef def = {.shader = shader,
                              .binding_count = row->buffer_count,
                              .push_size = 4 * row->push_words,
                              .workgroup_size = row->workgroup_size,
                              .constant_count = 2,
                              .constants = {(uint32_t)constant, device->base.model->order.coupled_count > 0}};
    const GpuKernel *kernel;
    TRY(gpu_kernel_create(device->pipelines, &def, &kernel));
    const GpuBuffer *buffers[GPU_MAX_BINDINGS];
    find_buffers(device, row, buffers);
    return gpu_bind(device->pipelines, kernel, buffers, binding);
}

VelaResult vulkan_kernels_create(VulkanDevice *device)
{
    int k = 0;
    for (; k < KERNEL_FIRST_OF_KIND; ++k)
        if (is_needed(device, k))
            TRY(create(device, k, NULL, device->base.model->surface.map.most > 1, &device->kernels[k]));
    for (; k < KERNEL_FIRST_OF_RANGE; ++k)
        for (int kind = 0; kind < ELEMENT_KIND_COUNT && is_needed(device, k); ++kind)
            if (is_needed_of(device, k, kind))
                TRY(create(device, k, vulkan_kinds[kind].shader, 0,
                           &device->kind_kernels[k - KERNEL_FIRST_OF_KIND][kind]));
    for (; k < KERNEL_COUNT; ++k)
        for (uint32_t r = 0; r < device->range_count && is_needed(device, k); ++r)
            if (is_needed_of(device, k, device->ranges[r].kind))
                TRY(create(device, k, vulkan_kinds[device->ranges[r].kind].shader,
                           device->ranges[r].energy_model,
                           &device->range_kernels[k - KERNEL_FIRST_OF_RANGE][r]));
    return VELA_OK;
}

void vulkan_kernels_rebind(VulkanDevice *device)
{
    // Kernels of elements work on nothing that grows.
    for (int k = 0; k < KERNEL_FIRST_OF_KIND; ++k) {
        const GpuBuffer *buffers[GPU_MAX_BINDINGS];
        if (!device->kernels[k].kernel)
            continue;
        find_buffers(device, &vulkan_kernel_rows[k], buffers);
        gpu_rebind(device->pipelines, &device->kernels[k], buffers);
    }
}
