#include "base/arena.h"

#include <string.h>

enum { BLOCK_SIZE = 1 << 16, ALIGN = 64 };

// The header takes one alignment's room, so that data starts aligned.
struct ArenaBlock {
    ArenaBlock *older;
    size_t capacity, used;
    size_t touched; ///< most that was in use: behind it are zeros
};

static char *block_data(ArenaBlock *block)
{
    return (char *)block + ALIGN;
}

void arena_clear(Arena *arena)
{
    arena_release(arena, (ArenaMark){0});
}

ArenaMark arena_mark(const Arena *arena)
{
    return (ArenaMark){arena->newest, arena->newest ? arena->newest->used : 0};
}

void arena_release(Arena *arena, ArenaMark mark)
{
    while (arena->newest != mark.block) {
        ArenaBlock *block = arena->newest;
        arena->newest = block->older;
        context_free(arena->context, block);
    }
    if (arena->newest)
        arena->newest->used = mark.used;
}

VelaResult arena_allocate(Arena *arena, size_t count, size_t size, void **memory)
{
    *memory = NULL;
    FAIL_IF(arena->context, size && count > (SIZE_MAX / 4) / size, VELA_ERROR_OUT_OF_MEMORY,
            "out of memory: %zu elements of %zu bytes", count, size);
    size_t bytes = (count * size + ALIGN - 1) / ALIGN * ALIGN;
    if (bytes == 0)
        bytes = ALIGN; // a valid pointer even for no elements
    ArenaBlock *block = arena->newest;
    if (!block || block->capacity - block->used < bytes) {
        size_t capacity = bytes > BLOCK_SIZE ? bytes : BLOCK_SIZE;
        block = context_allocate(arena->context, ALIGN + capacity);
        FAIL_IF(arena->context, !block, VELA_ERROR_OUT_OF_MEMORY, "out of memory: %zu bytes could not be had",
                capacity);
        *block = (ArenaBlock){.older = arena->newest, .capacity = capacity};
        arena->newest = block;
    }
    *memory = block_data(block) + block->used;
    if (block->used < block->touched)
        memset(*memory, 0, bytes < block->touched - block->used ? bytes : block->touched - block->used);
    block->used += bytes;
    if (block->touched < block->used)
        block->touched = block->used;
    return VELA_OK;
}

VelaResult arena_renew(Arena *arena, void **memory, size_t *capacity, size_t needed, size_t size)
{
    if (needed <= *capacity)
        return VELA_OK;
    size_t grown = *capacity ? *capacity : 16;
    while (grown < needed)
        grown = grown > SIZE_MAX / 4 ? needed : 2 * grown;
    void *larger;
    TRY(arena_allocate(arena, grown, size, &larger));
    *memory = larger;
    *capacity = grown;
    return VELA_OK;
}

VelaResult arena_grow(Arena *arena, void **memory, size_t *capacity, size_t needed, size_t size)
{
    const void *former = *memory;
    const size_t kept = *capacity;
    TRY(arena_renew(arena, memory, capacity, needed, size));
    if (kept && *memory != former)
        memcpy(*memory, former, kept * size);
    return VELA_OK;
}

VelaResult arena_string(Arena *arena, const char *text, size_t length, char **copy)
{
    TRY(ARENA_ARRAY(arena, *copy, length + 1));
    memcpy(*copy, text, length);
    return VELA_OK;
}
