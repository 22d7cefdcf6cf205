/// Memory that is freed together: everything a scene, a mesh or a model owns lives in one arena.
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/context.h"

typedef struct ArenaBlock ArenaBlock;

typedef struct Arena {
    VelaContext *context;
    ArenaBlock *newest;
    size_t expected; ///< bytes that were in use before arena_rewind
} Arena;

typedef struct ArenaMark {
    ArenaBlock *block;
    size_t used;
} ArenaMark;

static inline Arena arena_make(VelaContext *context)
{
    return (Arena){.context = context};
}
/// Frees everything; the arena can be used again.
void arena_clear(Arena *arena);
/// The same for an arena that is going to be used alike: its memory stays, in one piece.
void arena_rewind(Arena *arena);
ArenaMark arena_mark(const Arena *arena);
/// Frees everything allocated since the mark.
void arena_release(Arena *arena, ArenaMark mark);

/// `count` elements of `size` bytes, zeroed, 64-byte aligned. VELA_ERROR_OUT_OF_MEMORY with a message otherwise.
VelaResult arena_allocate(Arena *arena, size_t count, size_t size, void **memory);
/// Makes room for `needed` elements in an array of `*capacity`; doubles, and keeps what is there. What is new is not set. The array may have
/// moved: then it is no more where it was.
VelaResult arena_grow(Arena *arena, void **memory, size_t *capacity, size_t needed, size_t size);
/// The same for an array that is going to be filled as far as it is needed: it has the pages for that then (base/pages.h), and grows by a
/// quarter more.
VelaResult arena_grow_filled(Arena *arena, void **memory, size_t *capacity, size_t needed, size_t size);
VelaResult arena_string(Arena *arena, const char *text, size_t length, char **copy);

/// TRY(ARENA_ARRAY(&arena, pointer, count)): allocates and sets a typed pointer.
#define ARENA_ARRAY(arena, pointer, count)                                                                   \
    arena_allocate((arena), (size_t)(count), sizeof *(pointer), (void **)&(pointer))
#define ARENA_GROW(arena, pointer, capacity, needed)                                                         \
    arena_grow((arena), (void **)&(pointer), (capacity), (needed), sizeof *(pointer))
#define ARENA_GROW_FILLED(arena, pointer, capacity, needed)                                                  \
    arena_grow_filled((arena), (void **)&(pointer), (capacity), (needed), sizeof *(pointer))

#endif
