/// "Did you mean …?": the nearest of the names that would have been right.
#ifndef SCENE_SUGGEST_H
#define SCENE_SUGGEST_H

#include <stdbool.h>

/// Number of single-character insertions, deletions, replacements and swaps of neighbours that turn one name
/// into the other, letter case ignored. Names longer than 63 bytes count as far from everything (64).
int suggest_distance(const char *a, const char *b);

/// The candidate nearest to `name` if it is near enough to be a slip of the pen, else NULL. `candidates`:
/// NULL-terminated.
const char *suggest_name(const char *name, const char *const *candidates);

/// Whether `distance` from `name` is near enough to be proposed.
bool suggest_is_near(const char *name, int distance);

#endif
