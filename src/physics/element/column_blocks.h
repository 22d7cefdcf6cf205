/// Blocks of pairs of corners from a matrix over D x: K_ab = w sum over j, l of G_aj S_jl G_bl, S the 3 x 3 part of columns j and l.
/// For kinds with many corners. Twin: shaders/common/physics/element/column_blocks.glsl.
#ifndef PHYSICS_ELEMENT_COLUMN_BLOCKS_H
#define PHYSICS_ELEMENT_COLUMN_BLOCKS_H

#include "abi/element_kind.h"
#include "base/lanes.h"

/// G: as the kinds' Hessians take it; matrix: 3 columns squared numbers, rows and columns as D x (component i of column j at columns i + j);
/// K: blocks of the pairs as element_pair has them.
LANES_OUTLINE void column_blocks(const Pack *matrix, const Pack *G, int corners, int columns, Pack volume,
                                 Pack (*K)[9])
{
    Pack g[ELEMENT_CORNERS_MOST][ELEMENT_COLUMNS_MOST];
    const int size = 3 * columns;
    for (int j = 0; j < columns; ++j) {
        g[0][j] = pack_set(0.0);
        for (int a = 1; a < corners; ++a) {
            g[a][j] = G[columns * (a - 1) + j];
            g[0][j] -= g[a][j];
        }
    }
    int pair = corners;
    for (int a = 0; a < corners; ++a)
        for (int b = a; b < corners; ++b) {
            Pack *block = K[a == b ? a : pair++];
            for (int k = 0; k < 9; ++k) {
                Pack sum = pack_set(0.0);
                for (int j = 0; j < columns; ++j)
                    for (int l = 0; l < columns; ++l)
                        sum += g[a][j] * g[b][l] *
                               matrix[size * (columns * (k / 3) + j) + columns * (k % 3) + l];
                block[k] = volume * sum;
            }
        }
}

#endif
