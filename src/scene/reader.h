/// Typed access to a JSON tree with messages that name file, JSON path, what was found and what was expected.
#ifndef SCENE_READER_H
#define SCENE_READER_H

#include "base/json.h"
#include "scene/keys.h"

/// What a `--set` put into the tree.
typedef struct Override {
    const char *text;   ///< as the user typed it
    const cJSON *added; ///< the topmost value that it created or replaced
} Override;

typedef struct Reader {
    VelaContext *context;
    Arena *arena;
    const char *file;
    bool recorded; ///< the scene of a past run, whose mesh files are not looked for
    int32_t override_count;
    Override *overrides;
    cJSON *replaced; ///< list of what overrides took out of the tree, freed last
} Reader;

/// A value and how to get to it. Lives on the stack of the function that looks at it.
typedef struct Place {
    const struct Place *parent; ///< NULL for the root
    const char *key;            ///< within an object; NULL in a list
    int64_t index;              ///< within a list
    const cJSON *value;         ///< NULL: absent
} Place;

typedef enum Need { OPTIONAL, REQUIRED } Need;

/// Numbers allowed. Everything is also held to magnitudes of at most 1e30, and positive numbers to at least
/// 1e-30, so that squares and cubes stay finite.
typedef struct Range {
    double low, high;
    const char *words; ///< "a number above 0"
} Range;

extern const Range ANY_NUMBER, POSITIVE, NOT_NEGATIVE, ZERO_TO_ONE;

Place place_member(const Place *object, const char *key);
Place place_item(const Place *list, int64_t index, const cJSON *value);
/// "bodies[0].pins[1].select", shortened in the middle of nowhere if it does not fit.
void place_path(const Place *place, char *out, size_t size);
/// The same, kept in the arena.
VelaResult place_keep_path(const Reader *reader, const Place *place, const char **out);

/// Fails with "file: path: message", and names the override that the value came from.
VelaResult place_fail(const Reader *reader, const Place *place, const char *format, ...) PRINTF_LIKE(3, 4);
/// "found …, expected `expected`"
VelaResult place_expected(const Reader *reader, const Place *place, const char *expected);

/// An object that has only keys of the table.
VelaResult check_object(const Reader *reader, const Place *place, const NameTable *keys);
/// A list of `least` to `most` items.
VelaResult check_list(const Reader *reader, const Place *place, int least, int most, const char *items,
                      int *count);
/// The key stands only beside the types that `types` has a bit for, by their places in `words`.
VelaResult check_key_types(const Reader *reader, const Place *object, const char *key, unsigned types,
                           const char *type_key, const NameTable *words, int type);
/// A key that goes with one type only.
typedef struct OwnedKey {
    const char *key;
    int type; ///< index into the words of the type
} OwnedKey;
/// None of the keys stands beside another type than its own. `type_key`: the key that says the type ("model").
VelaResult check_owned_keys(const Reader *reader, const Place *object, const OwnedKey *keys, int count,
                            const char *type_key, const NameTable *types, int type);
/// The key `time` of the keyframe at `place` is above that of the keyframe before, s.
VelaResult check_ascending(const Reader *reader, const Place *place, double before, double time);
/// No key appears twice anywhere below.
VelaResult check_duplicates(const Reader *reader, const Place *place);

/// The number at a place, or a fraction; false, with nothing written, where there is none.
bool number_found(const cJSON *value, double *out);

// The value at `place` itself. Numbers may be strings that hold a fraction.
VelaResult number_at(const Reader *reader, const Place *place, Range range, double *out);
VelaResult integer_at(const Reader *reader, const Place *place, int32_t low, int32_t high, int32_t *out);
VelaResult string_at(const Reader *reader, const Place *place, const char **out);
VelaResult vector_at(const Reader *reader, const Place *place, Range range, double out[3]);
/// A vector of length above 0, made a unit vector. One that is of length 1 up to rounding stays as it is.
VelaResult direction_at(const Reader *reader, const Place *place, double out[3]);

// The value of a key; an absent optional one leaves `*out` as it was.
VelaResult read_number(const Reader *reader, const Place *object, const char *key, Need need, Range range,
                       double *out);
VelaResult read_integer(const Reader *reader, const Place *object, const char *key, Need need, int32_t low,
                        int32_t high, int32_t *out);
VelaResult read_string(const Reader *reader, const Place *object, const char *key, Need need,
                       const char **out);
VelaResult read_flag(const Reader *reader, const Place *object, const char *key, Need need, bool *out);
VelaResult read_vector(const Reader *reader, const Place *object, const char *key, Need need, Range range,
                       double out[3]);
VelaResult read_direction(const Reader *reader, const Place *object, const char *key, Need need,
                          double out[3]);
VelaResult read_integers(const Reader *reader, const Place *object, const char *key, Need need, int32_t low,
                         int32_t high, int count, int32_t *out);
/// One of the words of the table; `*out` becomes its place in `words->known`.
VelaResult read_word(const Reader *reader, const Place *object, const char *key, Need need,
                     const NameTable *words, int *out);

#endif
