#define _POSIX_C_SOURCE 200809L
#include "scene/suggest.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST = 63 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

static bool same_letter(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

// Optimal string alignment (Damerau-Levenshtein without repeated edits), three rows of the table at a time.
int suggest_distance(const char *a, const char *b)
{
    const size_t length_a = strnlen(a, LONGEST + 1), length_b = strnlen(b, LONGEST + 1);
    if (length_a > LONGEST || length_b > LONGEST)
        return LONGEST + 1;
    int rows[3][LONGEST + 1];
    for (size_t j = 0; j <= length_b; ++j)
        rows[0][j] = (int)j;
    for (size_t i = 1; i <= length_a; ++i) {
        int *row = rows[i % 3], *above = rows[(i + 2) % 3], *second_above = rows[(i + 1) % 3];
        row[0] = (int)i;
        for (size_t j = 1; j <= length_b; ++j) {
            const int replaced = above[j - 1] + !same_letter(a[i - 1], b[j - 1]);
            row[j] = least(replaced, least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]))
                row[j] = least(row[j], second_above[j - 2] + 1);
        }
    }
    return rows[length_a % 3][length_b];
}

bool suggest_is_near(const char *name, int distance)
{
    const int length = (int)strnlen(name, LONGEST + 1);
    return distance <= (length < 3 ? 1 : length < 9 ? 2 : length / 3) && distance < length;
}

const char *suggest_name(const char *name, const char *const *candidates)
{
    const char *best = NULL;
    int best_distance = LONGEST + 1;
    for (; *candidates; ++candidates) {
        const int distance = suggest_distance(name, *candidates);
        if (distance < best_distance) {
            best_distance = distance;
            best = *candidates;
        }
    }
    return best && suggest_is_near(name, best_distance) ? best : NULL;
}
