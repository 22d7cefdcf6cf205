/// Elements: what the potential energy is a sum of. Those of one kind are a group. An element's energy is
///
///     w psi(D x),   D x = sum over the corners a > 0 of (x_a - x_0) G_a      (3 x columns)
///
/// with a volume w, shape gradients G_a (a row of `columns` numbers for every corner but the first, whose G_0 is minus their
/// sum) and a density psi that is the kind's own. Of a tetrahedron D x is the deformation gradient.
///
/// Elements and their corners are numbered through all groups, groups in the order of their kinds.
#ifndef MODEL_ELEMENTS_H
#define MODEL_ELEMENTS_H

#include "abi/element_kind.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ElementKind {
    const char *name; ///< of one element, for messages
    int32_t corners;  ///< nodes an element, 2 to ELEMENT_CORNERS_MOST
    int32_t columns;  ///< of D x, 1 to ELEMENT_COLUMNS_MOST
} ElementKind;

/// Made from ELEMENT_KINDS of physics/element/kinds.h.
extern const ElementKind element_kinds[ELEMENT_KIND_COUNT];

typedef struct ElementGroup {
    const ElementKind *kind;
    int32_t count;
    int32_t first_element, first_corner; ///< numbers of the first element and of its first corner
    int32_t *nodes;                      ///< count x corners
    double *shapes;                      ///< count x (corners - 1) x columns: G_1, G_2, ..., usually 1/m
    double *volumes;                     ///< w, m^3
    int32_t *materials;                  ///< index into Model.materials
    double *rests; ///< what psi is measured from: of a hinge its angle, rad; NULL unless element_has_rest
} ElementGroup;

/// A corner by its number.
typedef struct ElementCorner {
    int32_t kind, element, corner; ///< the element within its group
} ElementCorner;

static inline ElementCorner element_corner(const ElementGroup groups[ELEMENT_KIND_COUNT], int32_t number)
{
    int32_t kind = ELEMENT_KIND_COUNT - 1;
    while (number < groups[kind].first_corner)
        --kind;
    const int32_t within = number - groups[kind].first_corner, corners = element_kinds[kind].corners;
    return (ElementCorner){kind, within / corners, within % corners};
}

/// Whether the elements of a kind have numbers of their own that psi is measured from.
static inline bool element_has_rest(int32_t kind)
{
    return kind == ELEMENT_HINGE || kind == ELEMENT_LINK || kind == ELEMENT_JOINT;
}

/// Whether they are constraints, whose energy is told apart.
static inline bool element_is_constraint(int32_t kind)
{
    return kind == ELEMENT_LINK || kind == ELEMENT_JOINT;
}

/// Numbers of D x.
static inline int32_t element_size(const ElementKind *kind)
{
    return 3 * kind->columns;
}

/// Numbers of G_1, G_2, ... of one element.
static inline int32_t element_shape_size(const ElementKind *kind)
{
    return (kind->corners - 1) * kind->columns;
}

/// G_a of all corners of an element, rows of `columns` numbers.
void element_shape(const ElementGroup *group, int32_t element,
                   double shape[ELEMENT_CORNERS_MOST][ELEMENT_COLUMNS_MOST]);
/// First node of an element by its number.
int32_t elements_first_node(const ElementGroup groups[ELEMENT_KIND_COUNT], int32_t number);
/// "tetrahedron 12", for messages; `number` through all groups.
void elements_describe(const ElementGroup groups[ELEMENT_KIND_COUNT], int32_t number, char *text,
                       size_t size);

#endif
