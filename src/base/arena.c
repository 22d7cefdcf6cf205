#include "base/arena.h"

#include "base/pages.h"

#include <string.h>

enum { BLOCK_SIZE = 1 << 16, ALIGN = 64, LEAST_CAPACITY = 16 };

// The header takes one alignment's room, so that what follows it starts aligned.
struct ArenaBlock {
    ArenaBlock *older;
    char *data; ///< behind the header; of an array that has the block alone somewhere else, where it can grow
    bool is_alone; ///< there is one such array
    size_t capacity, used;
    size_t touched; ///< most that was in use: behind it are zeros
};
_Static_assert(sizeof(ArenaBlock) <= ALIGN, "room for the header");

void arena_clear(Arena *arena)
{
    arena_release(arena, (ArenaMark){0});
}

void arena_rewind(Arena *arena)
{
    size_t expected = 0;
    for (const ArenaBlock *block = arena->newest; block; block = block->older)
        expected += block->used;
    if (arena->newest && !arena->newest->older && !arena->newest->is_alone) {
        arena->newest->used = 0;
        return;
    }
    arena_clear(arena);
    arena->expected = expected;
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
        if (block->is_alone)
            context_free(arena->context, block->data);
        context_free(arena->context, block);
    }
    if (arena->newest && !arena->newest->is_alone) // such an array has all of its block, however it has grown
        arena->newest->used = mark.used;
}

// Adds a block for at least so many bytes. NULL: there is no memory.
static ArenaBlock *add_block(Arena *arena, size_t bytes)
{
    const size_t usual = arena->newest || arena->expected < BLOCK_SIZE ? BLOCK_SIZE : arena->expected;
    const bool is_alone = bytes > usual;
    ArenaBlock *block = context_allocate(arena->context, ALIGN + (is_alone ? 0 : usual));
    if (!block)
        return NULL;
    *block = (ArenaBlock){.older = arena->newest,
                          .data = (char *)block + ALIGN,
                          .is_alone = is_alone,
                          .capacity = is_alone ? bytes : usual};
    if (is_alone && !(block->data = context_allocate(arena->context, bytes))) {
        context_free(arena->context, block);
        return NULL;
    }
    arena->newest = block;
    return block;
}

static VelaResult find_bytes(Arena *arena, size_t count, size_t size, size_t *bytes)
{
    *bytes = 0;
    FAIL_IF(arena->context, size && count > (SIZE_MAX / 4) / size, VELA_ERROR_OUT_OF_MEMORY,
            "out of memory: %zu elements of %zu bytes", count, size);
    *bytes = (count * size + ALIGN - 1) / ALIGN * ALIGN;
    if (*bytes == 0)
        *bytes = ALIGN; // a valid pointer even for no elements
    return VELA_OK;
}

VelaResult arena_allocate(Arena *arena, size_t count, size_t size, void **memory)
{
    size_t bytes;
    *memory = NULL;
    TRY(find_bytes(arena, count, size, &bytes));
    ArenaBlock *block = arena->newest;
    if (!block || block->capacity - block->used < bytes) {
        block = add_block(arena, bytes);
        FAIL_IF(arena->context, !block, VELA_ERROR_OUT_OF_MEMORY, "out of memory: %zu bytes could not be had",
                bytes);
    }
    *memory = block->data + block->used;
    if (block->used < block->touched)
        memset(*memory, 0, bytes < block->touched - block->used ? bytes : block->touched - block->used);
    block->used += bytes;
    if (block->touched < block->used)
        block->touched = block->used;
    return VELA_OK;
}

// The block that an array has alone; NULL: it shares one.
static ArenaBlock *own_block(const Arena *arena, const void *memory)
{
    for (ArenaBlock *block = arena->newest; block; block = block->older)
        if (block->is_alone && block->data == memory)
            return block;
    return NULL;
}

// An array that has its block alone grows there: mostly its pages stay what they are, whatever its size.
static VelaResult grow_to(Arena *arena, size_t grown, size_t size, void **memory, size_t *capacity)
{
    size_t bytes;
    TRY(find_bytes(arena, grown, size, &bytes));
    void *larger;
    ArenaBlock *block = *capacity ? own_block(arena, *memory) : NULL;
    if (block) {
        larger = context_reallocate(arena->context, block->data, bytes);
        FAIL_IF(arena->context, !larger, VELA_ERROR_OUT_OF_MEMORY,
                "out of memory: %zu bytes could not be had", bytes);
        block->data = larger;
        block->capacity = block->used = block->touched = bytes;
    } else {
        TRY(arena_allocate(arena, grown, size, &larger));
        if (*capacity)
            memcpy(larger, *memory, *capacity * size);
    }
    *memory = larger;
    *capacity = grown;
    return VELA_OK;
}

VelaResult arena_grow(Arena *arena, void **memory, size_t *capacity, size_t needed, size_t size)
{
    size_t grown = *capacity ? *capacity : LEAST_CAPACITY;
    while (grown < needed)
        grown = grown > SIZE_MAX / 4 ? needed : 2 * grown;
    return needed <= *capacity ? VELA_OK : grow_to(arena, grown, size, memory, capacity);
}

VelaResult arena_grow_filled(Arena *arena, void **memory, size_t *capacity, size_t needed, size_t size)
{
    const size_t before = *capacity, quarter = needed / 4 > LEAST_CAPACITY ? needed / 4 : LEAST_CAPACITY;
    if (needed <= before)
        return VELA_OK;
    TRY(grow_to(arena, needed > SIZE_MAX - quarter ? needed : needed + quarter, size, memory, capacity));
    if ((needed - before) * size >= BLOCK_SIZE)
        pages_fetch((char *)*memory + before * size, (needed - before) * size, arena->context->threads);
    return VELA_OK;
}

VelaResult arena_string(Arena *arena, const char *text, size_t length, char **copy)
{
    TRY(ARENA_ARRAY(arena, *copy, length + 1));
    memcpy(*copy, text, length);
    return VELA_OK;
}
