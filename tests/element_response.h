/// Everything the formulas of a kind of element say about eight D x, for tests.
#ifndef TESTS_ELEMENT_RESPONSE_H
#define TESTS_ELEMENT_RESPONSE_H

#include "physics/element/kinds.h"

#include <string.h>

enum {
    RESPONSE_SIZE = 3 * ELEMENT_COLUMNS_MOST,
    RESPONSE_SHAPES = (ELEMENT_CORNERS_MOST - 1) * ELEMENT_COLUMNS_MOST,
    RESPONSE_PAIRS = ELEMENT_CORNERS_MOST * (ELEMENT_CORNERS_MOST + 1) / 2
};

/// What is given: D x, a change of it, G_1, G_2, ...; matrices row by row.
typedef struct ElementInput {
    ElementMaterial material;
    Lanes F[RESPONSE_SIZE], D[RESPONSE_SIZE], G[RESPONSE_SHAPES], volume, rho;
    bool has_rest; ///< of kinds whose elements have one
    Lanes rest;
} ElementInput;

typedef struct ElementResponse {
    Lanes density, stress[RESPONSE_SIZE], slope, magnitude, stretch, prox[RESPONSE_SIZE];
    Lanes K[RESPONSE_PAIRS][9], projected[RESPONSE_PAIRS][9]; ///< by pairs of corners, w included
    double stiffness;
} ElementResponse;

#define RESPONSE_OF(number, prefix, local_type, corners, columns, data, name)                                \
    static void prefix##_response(const ElementInput *in, ElementResponse *out)                              \
    {                                                                                                        \
        local_type local;                                                                                    \
        prefix##_decompose(1, (const Lanes(*)[3 * columns]) & in->F, &local);                                \
        if (in->has_rest)                                                                                    \
            memcpy(&local, &in->rest, sizeof in->rest);                                                      \
        out->density = prefix##_density(&in->material, &local);                                              \
        prefix##_stress(&in->material, &local, out->stress);                                                 \
        prefix##_slope(&in->material, &local, in->D, &out->slope, &out->magnitude);                          \
        prefix##_prox(&in->material, &local, in->volume, in->rho, out->prox);                                \
        out->stretch = prefix##_stretch(&local);                                                             \
        out->stiffness = prefix##_stiffness(&in->material);                                                  \
        for (int part = 0; part < PACKS_PER_LANES; ++part)                                                   \
            for (int project = 0; project < 2; ++project) {                                                  \
                Pack G[RESPONSE_SHAPES], volume, K[RESPONSE_PAIRS][9];                                       \
                packs_load(in->G, part, (corners - 1) * columns, G);                                         \
                packs_load(&in->volume, part, 1, &volume);                                                   \
                prefix##_hessian(&in->material, &local, part, G, volume, project == 1, K);                   \
                for (int pair = 0; pair < corners * (corners + 1) / 2; ++pair)                               \
                    packs_store(K[pair], part, 9, project ? out->projected[pair] : out->K[pair]);            \
            }                                                                                                \
    }
ELEMENT_KINDS(RESPONSE_OF)
#undef RESPONSE_OF

#define ROW(number, prefix, local, corners, columns, data, name) [number] = prefix##_response,
static void (*const element_response[ELEMENT_KIND_COUNT])(const ElementInput *,
                                                          ElementResponse *) = {ELEMENT_KINDS(ROW)};
#undef ROW

/// The block of corners a, b of lane l, transposed where it is stored the other way round.
static inline double response_block(const Lanes K[RESPONSE_PAIRS][9], int corners, int a, int b, int row,
                                    int column, int l)
{
    const int low = a < b ? a : b, high = a < b ? b : a;
    int pair = low;
    if (low != high) {
        pair = corners + high - low - 1;
        for (int c = 0; c < low; ++c)
            pair += corners - 1 - c;
    }
    return a <= b ? K[pair][3 * row + column][l] : K[pair][3 * column + row][l];
}

#endif
