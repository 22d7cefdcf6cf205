/// Which blocks of Newton's matrix one row reads for two (abi/linear.h).
#ifndef DEVICE_VULKAN_LINEAR_HANDED_BLOCKS_H
#define DEVICE_VULKAN_LINEAR_HANDED_BLOCKS_H

#include "base/arena.h"
#include "model/model.h"

#include <stdint.h>

typedef enum EntryReader {
    READ_BY_ROW,    ///< for itself alone
    READ_FOR_BOTH,  ///< and handed on to the column's row
    READ_BY_COLUMN, ///< which hands it to this row
} EntryReader;

typedef struct HandedBlocks {
    uint8_t *readers; ///< an EntryReader of each of model->columns
    uint16_t *places; ///< in the workgroup's shared memory, of each that is READ_FOR_BOTH
    uint32_t *words;  ///< of the row at each place of the model's order
} HandedBlocks;

/// `stripes`: words of a table of `stripe_count` (abi/coarse.h). Arrays live in `arena`.
VelaResult handed_blocks_find(const Model *model, const uint32_t *stripes, uint32_t stripe_count,
                              Arena *arena, HandedBlocks *handed);

#endif
