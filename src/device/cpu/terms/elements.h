/// The elements of the CPU path: those of one kind, sorted by material and packed eight to a bundle, so that every array below
/// is read in order and every operation fills a vector register.
#ifndef DEVICE_CPU_TERMS_ELEMENTS_H
#define DEVICE_CPU_TERMS_ELEMENTS_H

#include "base/lanes.h"
#include "device/cpu/terms/nodes.h"
#include "physics/dissipation/damping.h"
#include "physics/element/material.h"

enum { HISTORY_MOST = 8 };

/// Bundles that sums run over; the sums are added in order: the same bits for any number of threads.
enum { BUNDLES_PER_CHUNK = 4 };

/// Eight floats: the history of Anderson acceleration needs no more precision than that.
typedef float FloatLanes __attribute__((vector_size(8 * sizeof(float))));

LANES_INLINE Lanes lanes_widen(FloatLanes from)
{
    return (Lanes){WIDEN_8(from)};
}

typedef struct BundleMaterial {
    ElementMaterial material;
    bool never_inverts;         ///< of ModelMaterial
    const DampingList *damping; ///< NULL: none
} BundleMaterial;

/// Lane l of bundle b is one element. The last bundle of a material repeats its last element in the lanes that are left over;
/// those have `valid` 0 and write their corner forces to a place nobody reads. Matrices are row-major. Where a comment gives
/// numbers a bundle, entry k of bundle b stands at (numbers) b + k.
typedef struct ElementBundles {
    const ElementKind *kind;
    int32_t count;
    int32_t element_count;
    int32_t first_element;                ///< the group's
    int32_t (*nodes)[LANE_COUNT];         ///< of every corner: kind->corners a bundle
    int32_t (*force_entries)[LANE_COUNT]; ///< of the corners' forces: kind->corners a bundle
    int32_t (*elements)[LANE_COUNT];      ///< the element within its group, -1 in left-over lanes
    Lanes *shapes;                        ///< G_1, G_2, ...: element_shape_size a bundle
    Lanes *volumes;                       ///< m^3
    Lanes *rests;                         ///< of ElementGroup.rests, or NULL
    Lanes *valid;                         ///< 1 or 0
    BundleMaterial *materials;
    double *corner_forces; ///< CornerForces.values

    // ADMM on the stage's solution x = xt + delta (theory.md section 5, Douglas-Rachford form); element_size a bundle.
    Lanes *penalties; ///< rho, J; one a bundle
    Lanes *target;    ///< D xt
    Lanes *state;     ///< S
    Lanes *projected; ///< Z
    Lanes *residual;  ///< D x - Z
    Lanes *image;     ///< S + residual: the plain iteration's next S
    FloatLanes *residual_differences[HISTORY_MOST];
    FloatLanes *image_differences[HISTORY_MOST];

    // Copies for damping alone.
    Lanes *base; ///< D xp; element_size a bundle
    Lanes *
        damping; ///< rho (L/t + rho)^-1, lower triangle by rows; of a power law the rotation, in as much room

    // Newton's method.
    Lanes *densities; ///< energy density at the iterate, above rest, Pa
    int32_t (*matrix_entries)
        [LANE_COUNT]; ///< where the block of a pair of corners goes: twice its place in the list of
                      ///< BlockMatrix, and 1 if it is transposed there; element_pairs a bundle
} ElementBundles;

/// Pairs of corners of an element, each once: first those of a corner with itself, then 01 02 03 12 13 23.
static inline int32_t element_pairs(const ElementKind *kind)
{
    return kind->corners * (kind->corners + 1) / 2;
}

/// The corners of such a pair.
static inline void element_pair(const ElementKind *kind, int32_t pair, int32_t corners[2])
{
    corners[0] = corners[1] = pair;
    if (pair < kind->corners)
        return;
    pair -= kind->corners;
    corners[0] = 0;
    while (pair >= kind->corners - 1 - corners[0])
        pair -= kind->corners - 1 - corners[0]++;
    corners[1] = corners[0] + 1 + pair;
}

/// Some bundles of one kind.
typedef struct ElementChunk {
    int32_t kind, first, end;
} ElementChunk;

/// All groups, and their chunks in the order of the kinds.
typedef struct CpuElements {
    ElementBundles groups[ELEMENT_KIND_COUNT];
    int32_t chunk_count;
    ElementChunk *chunks;
} CpuElements;

/// Packs all groups; with ADMM's arrays for a history of scene->solver.depth, or Newton's, as the scene's solver is. `wanted`: 1 for
/// the materials whose elements are packed, material_count for every kind; NULL: all.
VelaResult cpu_elements_build(VelaContext *context, const Model *model, const CornerForces *forces,
                              const uint8_t *wanted, Arena *arena, CpuElements *elements);
/// Bytes of that.
size_t cpu_elements_memory(const Model *model);

#endif
