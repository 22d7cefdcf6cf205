/* Barrier contact on the device: what its buffers have in them. Read by the C compiler and by the shader compiler: preprocessor
 * only. */
#ifndef ABI_CONTACT_H
#define ABI_CONTACT_H

/* Workgroups of kernels over queries, raw pairs and candidates. */
#define GROUP_CONTACT 64
/* Of those that make a tree: the leaves a workgroup joins. */
#define GROUP_TREE 256
#define TREE_LEVELS 8

/* A candidate: its four vertices, then its kind, with CANDIDATE_APPROACHES if the motion may take a tenth of its gap or more.
 * The vertices of a vertex and an edge: the edge's second end twice; of a plane: the vertex, the plane's point and tip, the
 * vertex again. */
#define CANDIDATE_WORDS 5
#define CANDIDATE_KIND 4
#define CONTACT_POINT_TRIANGLE 0
#define CONTACT_EDGE_EDGE 1
#define CONTACT_POINT_EDGE 2
#define CONTACT_POINT_PLANE 3
#define CONTACT_KINDS 4
#define CANDIDATE_KIND_MASK 7
#define CANDIDATE_APPROACHES 8

/* Its numbers, reals: those of PairBarrier (physics/contact/pair_barrier.h). */
#define CANDIDATE_NUMBERS 4
#define CANDIDATE_STIFFNESS 0
#define CANDIDATE_RANGE 1
#define CANDIDATE_SEPARATION 2
#define CANDIDATE_THRESHOLD 3

/* Contact's own control buffer, unsigned integers. Raw pairs are what the trees let through, candidates what may come within its
 * range. A list that has no room is empty: its count is 0, and what it wanted says how much room there has to be. Raw pairs that
 * have no room leave the number of candidates unknown, 0. */
#define CONTACT_PRIMITIVE_COUNT 0 /* of triangles, edges, segments, vertices; constant */
#define CONTACT_QUERY_COUNT 1     /* constant */
#define CONTACT_RAW_WANTED 2
#define CONTACT_RAW_COUNT 3
#define CONTACT_WANTED 4
#define CONTACT_COUNT 5
#define CONTACT_OVERFLOW 6 /* bits: */
#define CONTACT_RAW_OVERFLOW 1
#define CONTACT_CANDIDATE_OVERFLOW 2
#define CONTACT_FIRST_OF_KIND 8 /* CONTACT_KINDS + 1: candidates lie kind after kind */
#define CONTACT_STEPS 13        /* boxes of trees that the search looked at, modulo 2^32 */
/* Raw pairs once more, each workgroup's rounded down to a multiple of 2^CONTACT_COARSE_SHIFT and divided by it. From
 * CONTACT_COARSE_MOST on there are 2^31 or more, and CONTACT_RAW_WANTED, which a scan sums modulo 2^32, becomes 2^32 - 1. */
#define CONTACT_RAW_COARSE 14
#define CONTACT_COARSE_SHIFT 8
#define CONTACT_COARSE_MOST 0x800000u
/* Arguments of dispatches, each in workgroups of GROUP_CONTACT, 0 where there is nothing to do. */
#define CONTACT_ARGUMENTS_COLLECT 16 /* over CONTACT_COLLECTORS times the searches, if raw pairs have room */
#define CONTACT_ARGUMENTS_RAW 20     /* over raw pairs */
#define CONTACT_ARGUMENTS_LIST 24    /* over raw pairs, if candidates have room */
#define CONTACT_CONTROL_COUNT 28

/* What contact_limit looks at. */
#define CONTACT_LIMIT_RAW 0
#define CONTACT_LIMIT_CANDIDATES 1

/* Primitives: triangles, edges, segments (edges of cables once more), vertices, one kind behind the other. The first three have a
 * tree each; its node 1 is the root, nodes 2 i and 2 i + 1 are the children of node i, and the primitive at place l of its order is
 * node `leaves` + l, `leaves` a power of two. Nodes of a tree lie behind 2 `leaves` of each tree before it. */
#define PRIMITIVE_TRIANGLE 0
#define PRIMITIVE_EDGE 1
#define PRIMITIVE_SEGMENT 2
#define PRIMITIVE_VERTEX 3
#define TREE_COUNT 3
/* A node: the low corner of its box, its lowest owner, the high corner, its highest owner, the owners each with a bit. A leaf has one
 * owner, and in place of the highest its primitive's number within the kind. Nodes within owners have the same, but for their boxes. */
#define NODE_WORDS 8
#define NODE_OWNER 0x7fffffffu
#define NODE_HAS_LONG 0x80000000u /* of the lowest: a long edge lies below */
#define NODE_HAS_FREE 0x80000000u /* of the highest: a vertex below moves freely */

/* Keys of primitives: the kind above a Morton code of MORTON_BITS an axis. */
#define MORTON_BITS 20
#define PRIMITIVE_KEY_BITS (3 * MORTON_BITS + 2)

/* Queries, a kind behind the other in the order of candidates' kinds: vertices through the triangles' tree, edges through the
 * edges', vertices through the segments' if there are any, vertices past all planes if there are any. A raw pair: the query, and
 * the triangle, edge (the one with the higher number), segment or plane it met. */
#define RAW_WORDS 2
#define RAW_KEPT 0x80000000u
#define RAW_APPROACHES 0x40000000u
#define RAW_PARTNER 0x3fffffffu
#define RAW_MOST 0x3fffffff

/* Pairs that walks found, until it is known where every query's raw pairs start: for each workgroup of the search a head, how many it
 * found, then room for `walk_room` raw pairs. One that found more walks again: neighbours share the room, so that is rare. */
#define WALKED_HEAD 1        /* pairs of words */
#define CONTACT_COLLECTORS 4 /* workgroups that put those of one where they belong */

/* A search is one invocation's. Edges that are far longer than most would meet thousands of others, points that keep others a
 * radius away too: those are found by what they meet. Behind the queries of a search come the triangles, then the segments, each
 * past all points. */
#define LONG_EDGE 8 /* times the mean length at rest */

/* Lists: for each vertex its owner, triangles' corners, edges' ends, segments' edges, planes, points' vertices, owners; then what
 * is left out (model/exclusions.h): a row of bits for each collision group, where there are any; and where there are joints, for each
 * vertex, triangle and edge where its list of zones starts, and those lists, ended by NO_ZONE each. */
#define EDGE_IS_LONG 0x80000000u /* of the first end */
#define VERTEX_IS_FREE 0x80000000u
#define VERTEX_OWNER 0x7fffffffu
#define NO_OWNER 0x7fffffffu /* of the points of planes */
#define PLANE_WORDS 3        /* point, tip, owner */
#define OWNER_WORDS 4        /* first vertex, number of vertices, bits, collision group; the bits: */
#define OWNER_MEETS_ITSELF 1
#define OWNER_IS_POINT 2
#define NO_ZONE 0xffffffffu

/* Numbers, reals: these, then areas of vertices, triangles, edges (m^2), then separations of owners (m). */
#define CONTACT_DISTANCE 0  /* d-hat, m */
#define CONTACT_STIFFNESS 1 /* kappa, N/m */
#define CONTACT_NUMBERS 2

#endif
