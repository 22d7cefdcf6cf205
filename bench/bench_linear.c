// Linear iterations a Newton iteration on the CPU path, over a grid of shapes, sizes and stiffnesses, as CSV: bars and sheets of one to
// four cells, held at one end, that sag; nearly incompressible ones; a stiff cube that presses on a soft one; cubes that grow.
// usage: bench_linear > linear.csv
#define _POSIX_C_SOURCE 200809L
#include "held_box.h"
#include "stepping.h"

enum { STEPS = 3, TEXT_MOST = 4096 };

static const HeldBox shapes[] = {
    {"cube", {0.2, 0.2, 0.2}, {8, 8, 8}},
    {"bar 1:4", {0.4, 0.1, 0.1}, {24, 6, 6}},
    {"bar 1:20, 1 cell", {0.5, 0.025, 0.025}, {24, 1, 1}},
    {"bar 1:20, 4 cells", {0.5, 0.025, 0.025}, {80, 4, 4}},
    {"bar 1:60, 1 cell", {0.5, 0.008, 0.008}, {24, 1, 1}},
    {"bar 1:200, 1 cell", {1, 0.005, 0.005}, {200, 1, 1}},
    {"bar 1:200, 2 cells", {1, 0.005, 0.005}, {200, 2, 2}},
    {"sheet 1:40, 1 cell", {0.4, 0.01, 0.2}, {40, 1, 20}},
    {"sheet 1:100, 1 cell", {1, 0.01, 1}, {40, 1, 40}},
    {"sheet 1:200, 1 cell", {1, 0.005, 1}, {40, 1, 40}},
    {"sheet 1:100, 2 cells", {0.5, 0.005, 0.5}, {30, 2, 30}},
    {"sheet 1:20, 4 cells", {0.4, 0.02, 0.4}, {24, 4, 24}},
};

static void write_row(const char *name, double modulus, double ratio, const char *text)
{
    Simulation simulation;
    Stepping found;
    stepping_start(1, "bench.json", text, 0, NULL, &simulation);
    stepping_steps(&simulation, STEPS, &found);
    printf("\"%s\",%g,%g,%d,%d,%.2f,%.1f\n", name, modulus, ratio, simulation.model.node_count,
           simulation.model.groups[ELEMENT_TET].count, found.newton / STEPS, found.linear / found.newton);
    fflush(stdout);
    stepping_end(&simulation);
}

static void sag(const HeldBox *shape, double modulus, double ratio)
{
    char text[HELD_BOX_TEXT];
    held_box_scene(shape, modulus, ratio, text);
    write_row(shape->name, modulus, ratio, text);
}

// A cube on another, 0.5 mm into the contact distance from the start.
static void press(double modulus, double other)
{
    char text[TEXT_MOST], name[64];
    snprintf(
        text, sizeof text,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 10},"
        "\"integrator\": {\"type\": \"implicit_euler\"}, \"solver\": {\"type\": \"newton\"},"
        "\"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": %g, "
        "\"poissons_ratio\": 0.3}, \"other\": {\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": %g, "
        "\"poissons_ratio\": 0.3}}, \"bodies\": ["
        "{\"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [6, 6, 6]}}, \"material\": \"m\", "
        "\"translate\": [0, 0.0505, 0]},"
        "{\"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [5, 5, 5]}}, \"material\": \"other\", "
        "\"rotate\": {\"axis\": [0, 1, 0], \"degrees\": 15}, \"translate\": [0, 0.151, 0]}],"
        "\"obstacles\": [{\"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 1, 0]}}],"
        "\"contact\": {\"model\": \"barrier\", \"distance\": 1e-3, \"friction\": 0.3}}",
        modulus, other);
    snprintf(name, sizeof name, "cube of %g Pa on one of %g Pa", other, modulus);
    write_row(name, modulus, 0.3, text);
}

int main(void)
{
    static const double moduli[] = {1e3, 1e5, 1e7, 1e9}, ratios[] = {0.3, 0.45, 0.49},
                        others[][2] = {{1e4, 1e4}, {1e4, 1e6}, {1e4, 1e8}, {1e8, 1e4}};
    printf("shape,youngs_modulus,poissons_ratio,nodes,tets,newton_per_step,linear_per_newton\n");
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s) {
        for (size_t m = 0; m < sizeof moduli / sizeof *moduli; ++m)
            sag(&shapes[s], moduli[m], 0.4);
        for (size_t r = 0; r < sizeof ratios / sizeof *ratios; ++r)
            sag(&shapes[s], 1e6, ratios[r]);
    }
    for (size_t o = 0; o < sizeof others / sizeof *others; ++o)
        press(others[o][0], others[o][1]);
    for (int cells = 12; cells <= 32; cells += 10) { // 10,000 to 200,000 tetrahedra
        const HeldBox cube = {"growing cube", {0.2, 0.2, 0.2}, {cells, cells, cells}};
        sag(&cube, 5e5, 0.4);
    }
    return 0;
}
