#include "model/elements.h"

#include "physics/element/kinds.h"

#include <stdio.h>

#define ROW(number, prefix, local, corner_count, column_count, data, one)                                    \
    [number] = {.name = one, .corners = corner_count, .columns = column_count},
const ElementKind element_kinds[ELEMENT_KIND_COUNT] = {ELEMENT_KINDS(ROW)};

void element_shape(const ElementGroup *group, int32_t element,
                   double shape[ELEMENT_CORNERS_MOST][ELEMENT_COLUMNS_MOST])
{
    const int32_t corners = group->kind->corners, columns = group->kind->columns;
    const double *rows = group->shapes + (size_t)element_shape_size(group->kind) * (size_t)element;
    for (int32_t j = 0; j < columns; ++j) {
        double sum = 0;
        for (int32_t a = 1; a < corners; ++a) {
            shape[a][j] = rows[columns * (a - 1) + j];
            sum += shape[a][j];
        }
        shape[0][j] = -sum;
    }
}

static int32_t kind_of(const ElementGroup groups[ELEMENT_KIND_COUNT], int32_t number)
{
    int32_t kind = ELEMENT_KIND_COUNT - 1;
    while (kind > 0 && number < groups[kind].first_element)
        --kind;
    return kind;
}

int32_t elements_first_node(const ElementGroup groups[ELEMENT_KIND_COUNT], int32_t number)
{
    const int32_t kind = kind_of(groups, number);
    return groups[kind]
        .nodes[(size_t)element_kinds[kind].corners * (size_t)(number - groups[kind].first_element)];
}

void elements_describe(const ElementGroup groups[ELEMENT_KIND_COUNT], int32_t number, char *text, size_t size)
{
    const int32_t kind = kind_of(groups, number);
    snprintf(text, size, "%s %d", element_kinds[kind].name, number - groups[kind].first_element);
}
