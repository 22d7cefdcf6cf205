#include "model/plates.h"

#include "base/matrix3.h"
#include "mesh/facets.h"

enum { SLOPE_NODES = 8, CONDITIONS = 6 };

/// A condition that so little is left of, after those before it, is given up: it would make weights large. Relative.
static const double DEPENDENT = 0.1;
/// Of a stiffness that is about 1: none.
static const double NO_STIFFNESS = 1e-9;

/// The slope across the middle of an edge, out of the first of its triangles, as a sum over nodes; 1/m.
typedef struct MidSlope {
    int32_t count, nodes[SLOPE_NODES];
    double weights[SLOPE_NODES];
} MidSlope;

typedef struct Surface {
    const double *nodes;
    const int32_t *triangles;
    int32_t *
        neighbours; ///< of side 3 t + s, from corner s to the next: the other triangle's side, -1 at the border
} Surface;

static int32_t corner(const Surface *surface, int32_t side, int32_t which)
{
    return surface->triangles[side / 3 * 3 + (side + which) % 3];
}

/// A side's axes: along it, and across it out of its triangle; its length, the height of the third corner, and where that stands
/// above the side, 0 to 1 from its first node.
typedef struct SideAxes {
    double middle[3], along[3], across[3];
    double length, height, foot;
} SideAxes;

static SideAxes side_axes(const Surface *surface, int32_t side)
{
    const double *a = surface->nodes + 3 * (size_t)corner(surface, side, 0),
                 *b = surface->nodes + 3 * (size_t)corner(surface, side, 1),
                 *c = surface->nodes + 3 * (size_t)corner(surface, side, 2);
    SideAxes axes;
    double wing[3];
    subtract3(b, a, axes.along);
    add_scaled3(a, 0.5, axes.along, axes.middle);
    axes.length = normalize3(axes.along);
    subtract3(a, c, wing);
    const double reach = -dot3(wing, axes.along);
    add_scaled3(wing, reach, axes.along, axes.across);
    axes.height = normalize3(axes.across);
    axes.foot = reach / axes.length;
    return axes;
}

// ---------------------------------------------------------------- slopes

static void add_node(MidSlope *slope, int32_t node)
{
    for (int32_t k = 0; k < slope->count; ++k)
        if (slope->nodes[k] == node)
            return;
    slope->nodes[slope->count++] = node;
}

/// Gram and Schmidt's method on the conditions that weights have to meet, the most important first, nearer nodes changing more. `places`:
/// across and along the edge, in its lengths.
static void correct_weights(const double (*places)[2], double length, MidSlope *slope)
{
    const int32_t n = slope->count;
    double rows[CONDITIONS][SLOPE_NODES], weights[SLOPE_NODES];
    int32_t kept = 0;
    for (int32_t k = 0; k < n; ++k) // the square of what a change costs, d^4, the other way round
        weights[k] = 1 / pow(places[k][0] * places[k][0] + places[k][1] * places[k][1], 2);
    for (int condition = 0; condition < CONDITIONS; ++condition) {
        double *row = rows[kept], values[SLOPE_NODES], before = 0, after = 0,
               missing = condition == 1 ? 1 / length : 0;
        for (int32_t k = 0; k < n; ++k) {
            const double x = places[k][0], y = places[k][1];
            const double powers[CONDITIONS] = {1, x, y, x * y, x * x, y * y};
            values[k] = row[k] = powers[condition];
            missing -= values[k] * slope->weights[k];
            before += weights[k] * values[k] * values[k];
        }
        for (int32_t r = 0; r < kept; ++r) {
            double product = 0;
            for (int32_t k = 0; k < n; ++k)
                product += weights[k] * rows[r][k] * row[k];
            for (int32_t k = 0; k < n; ++k)
                row[k] -= product * rows[r][k];
        }
        for (int32_t k = 0; k < n; ++k)
            after += weights[k] * row[k] * row[k];
        if (after < DEPENDENT * DEPENDENT * before)
            continue;
        for (int32_t k = 0; k < n; ++k) {
            slope->weights[k] += missing * weights[k] * row[k] / after;
            row[k] /= sqrt(after);
        }
        ++kept;
    }
}

/// The mean of the two triangles' slopes, corrected to be exact for parabolas as far as there are nodes for it.
static void find_slope(const Surface *surface, int32_t side, MidSlope *slope)
{
    const int32_t sides[2] = {side, surface->neighbours[side]};
    const SideAxes axes = side_axes(surface, side);
    double places[SLOPE_NODES][2];
    *slope = (MidSlope){0};
    for (int32_t k = 0; k < 2; ++k)
        add_node(slope, corner(surface, side, k));
    for (int32_t k = 0; k < 2; ++k)
        add_node(slope, corner(surface, sides[k], 2));
    for (int32_t k = 0; k < 2; ++k) {
        const SideAxes own = side_axes(surface, sides[k]);
        const double half = (k == 0 ? 0.5 : -0.5) / own.height, foot = k == 0 ? own.foot : 1 - own.foot;
        slope->weights[0] += half * (1 - foot);
        slope->weights[1] += half * foot;
        slope->weights[2 + k] -= half;
    }
    for (int32_t k = 0; k < 2; ++k)
        for (int32_t s = 1; s < 3; ++s) {
            const int32_t outer = surface->neighbours[sides[k] / 3 * 3 + (sides[k] + s) % 3];
            if (outer >= 0)
                add_node(slope, corner(surface, outer, 2));
        }
    for (int32_t k = 0; k < slope->count; ++k) {
        double arm[3];
        subtract3(surface->nodes + 3 * (size_t)slope->nodes[k], axes.middle, arm);
        places[k][0] = dot3(arm, axes.across) / axes.length;
        places[k][1] = dot3(arm, axes.along) / axes.length;
    }
    correct_weights((const double(*)[2])places, axes.length, slope);
}

// ---------------------------------------------------------------- triangles

static int32_t place_of(PlateShape *plate, int32_t *count, int32_t node)
{
    for (int32_t k = 0; k < *count; ++k)
        if (plate->nodes[k] == node)
            return k;
    plate->nodes[*count] = node;
    return (*count)++;
}

/// D -= D v (D v)^T/(v.D v): without a moment along v.
static void release(double D[3][3], const double v[3])
{
    double moment[3], stiffness = 0;
    for (int i = 0; i < 3; ++i) {
        moment[i] = dot3(D[i], v);
        stiffness += v[i] * moment[i];
    }
    for (int i = 0; i < 3 && stiffness > NO_STIFFNESS; ++i)
        for (int k = 0; k < 3; ++k)
            D[i][k] -= moment[i] * moment[k] / stiffness;
}

/// D = L L^T, by Cholesky's method; columns of what has no stiffness are 0.
static void take_root(const double D[3][3], double L[3][3])
{
    memset(L, 0, 9 * sizeof L[0][0]);
    for (int k = 0; k < 3; ++k) {
        const double pivot = D[k][k] - dot3(L[k], L[k]);
        for (int i = k; i < 3 && pivot > NO_STIFFNESS; ++i)
            L[i][k] = (D[i][k] - dot3(L[i], L[k])) / sqrt(pivot);
    }
}

/// 2/h (slope - the triangle's own) v for the curvatures (k_xx, k_yy, 2 k_xy) of a side, v = (n_x^2, n_y^2, 2 n_x n_y) of its normal n.
static void add_side(const Surface *surface, int32_t side, const SideAxes *axes, const double v[3],
                     const MidSlope *slope, double sign, int32_t *count, PlateShape *plate,
                     double curvature[PLATE_CORNERS][3])
{
    const double factor = 2 / axes->height,
                 own[3] = {(1 - axes->foot) / axes->height, axes->foot / axes->height, -1 / axes->height};
    for (int32_t k = 0; k < slope->count; ++k) {
        double *row = curvature[place_of(plate, count, slope->nodes[k])];
        add_scaled3(row, factor * sign * slope->weights[k], v, row);
    }
    for (int32_t k = 0; k < 3; ++k) {
        double *row = curvature[place_of(plate, count, corner(surface, side, k))];
        add_scaled3(row, -factor * own[k], v, row);
    }
}

static void make_plate(const Surface *surface, const MidSlope *slopes, int32_t triangle,
                       double poissons_ratio, PlateShape *plate)
{
    const SideAxes first = side_axes(surface, 3 * triangle);
    double D[3][3] = {{1, poissons_ratio, 0}, {poissons_ratio, 1, 0}, {0, 0, 0.5 * (1 - poissons_ratio)}};
    double curvature[PLATE_CORNERS][3] = {0}, L[3][3];
    int32_t count = 3;
    memset(plate, 0, sizeof *plate);
    memcpy(plate->nodes, surface->triangles + 3 * (size_t)triangle, 3 * sizeof *plate->nodes);
    for (int32_t side = 3 * triangle; side < 3 * triangle + 3; ++side) {
        const SideAxes axes = side_axes(surface, side);
        const double x = dot3(axes.across, first.along), y = dot3(axes.across, first.across);
        const double v[3] = {x * x, y * y, 2 * x * y};
        const int32_t other = surface->neighbours[side];
        if (other < 0)
            release(D, v);
        else
            add_side(surface, side, &axes, v, &slopes[side < other ? side : other], side < other ? 1 : -1,
                     &count, plate, curvature);
    }
    take_root((const double(*)[3])D, L);
    const double root = sqrt(0.5 * first.length * first.height);
    for (int32_t a = 1; a < count; ++a)
        for (int j = 0; j < 3; ++j)
            for (int i = 0; i < 3; ++i)
                plate->shape[3 * (a - 1) + j] += root * curvature[a][i] * L[i][j];
    for (; count < PLATE_CORNERS; ++count)
        plate->nodes[count] = plate->nodes[0];
}

static VelaResult find_neighbours(VelaContext *context, int32_t node_count, int32_t triangle_count,
                                  Arena *scratch, Surface *surface)
{
    const int64_t sides = 3 * (int64_t)triangle_count;
    Facet *edges;
    TRY(facets_of_triangles(context, node_count, triangle_count, surface->triangles, scratch, &edges));
    TRY(ARENA_ARRAY(scratch, surface->neighbours, sides));
    for (int64_t first = 0, run; first < sides; first += run) {
        run = facets_run(edges, sides, first);
        for (int64_t k = 0; k < run; ++k)
            surface->neighbours[edges[first + k].owner] = run == 2 ? (int32_t)edges[first + 1 - k].owner : -1;
    }
    return VELA_OK;
}

VelaResult plates_make(VelaContext *context, const double *nodes, int32_t node_count, int32_t triangle_count,
                       const int32_t *triangles, double poissons_ratio, Arena *arena, PlateShape **plates)
{
    Arena scratch = arena_make(context);
    Surface surface = {.nodes = nodes, .triangles = triangles};
    MidSlope *slopes;
    VelaResult result;
    TRY_GOTO(result, ARENA_ARRAY(arena, *plates, triangle_count), done);
    TRY_GOTO(result, find_neighbours(context, node_count, triangle_count, &scratch, &surface), done);
    TRY_GOTO(result, ARENA_ARRAY(&scratch, slopes, 3 * (size_t)triangle_count), done);
    for (int32_t side = 0; side < 3 * triangle_count; ++side)
        if (surface.neighbours[side] > side)
            find_slope(&surface, side, &slopes[side]);
    for (int32_t t = 0; t < triangle_count; ++t)
        make_plate(&surface, slopes, t, poissons_ratio, *plates + t);
done:
    arena_clear(&scratch);
    return result;
}
