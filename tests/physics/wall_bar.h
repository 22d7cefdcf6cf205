/// A bar of 1 m, 30 cells long, that flies with 1 m/s against a hard wall (barrier contact): the scene that
/// test_contact_collision.c and bench_collision.c share. The free one is a box of 0.1 m x 0.1 m like any other. The guided one
/// moves along a line, as a chain of masses does: pins hold it across, without which it buckles where the impact is as fast as its waves; and it
/// is 0.01 m wide, for behind a shock the sections of a wider one do not stay plane: what the solver leaves of a difference within a section
/// grows to 0.05 m at 0.1 m, and to 1e-4 m here.
#ifndef TESTS_WALL_BAR_H
#define TESTS_WALL_BAR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { BAR_CELLS = 30 };
static const double BAR_LENGTH = 1, BAR_WIDTH = 0.1, BAR_GUIDED_WIDTH = 0.01, BAR_DENSITY = 1000,
                    BAR_RANGE = 1e-3;

/// kg
static inline double bar_mass(bool is_guided)
{
    const double width = is_guided ? BAR_GUIDED_WIDTH : BAR_WIDTH;
    return BAR_DENSITY * BAR_LENGTH * width * width;
}

/// Pa: along the bar, waves run with `wave_speed` (m/s).
static inline double bar_modulus(double wave_speed)
{
    return BAR_DENSITY * wave_speed * wave_speed;
}

/// N/m: ten times as stiff as by default, so the wall is hard.
static inline double bar_wall_stiffness(double wave_speed)
{
    return 10 * bar_modulus(wave_speed) * BAR_RANGE;
}

/// Writes the guided bar's mesh: each cell twice, in both of the ways to cut it into five tetrahedra, on the same four nodes
/// a section. So all four have the same mass and the same forces, and a section that moves along stays plane. The two bars
/// lie over each other: each takes half of the density and of the modulus. Returns false if it cannot be written.
static inline bool bar_mesh_write(const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    fprintf(file, "MeshVersionFormatted 2\nDimension 3\nVertices\n%d\n", 4 * (BAR_CELLS + 1));
    for (int section = 0; section <= BAR_CELLS; ++section)
        for (int corner = 0; corner < 4; ++corner)
            fprintf(file, "%.17g %.17g %.17g 0\n", BAR_LENGTH * ((double)section / BAR_CELLS - 0.5),
                    BAR_GUIDED_WIDTH * ((corner & 1) - 0.5), BAR_GUIDED_WIDTH * ((corner >> 1) - 0.5));
    // Every other corner of a cell is the middle tetrahedron's; each one left out makes one with its three neighbours, which
    // is the middle one with a corner replaced by that opposite to it.
    enum { Y = 1, Z = 2, X = 4 }; // the steps from a node to a cell's next one
    static const int middles[2][4] = {{0, X + Z, X + Y, Y + Z}, {X + Y + Z, Z, Y, X}};
    fprintf(file, "Tetrahedra\n%d\n", 10 * BAR_CELLS);
    for (int cell = 0; cell < BAR_CELLS; ++cell)
        for (int way = 0; way < 2; ++way)
            for (int replaced = -1; replaced < 4; ++replaced) {
                int tet[4];
                for (int i = 0; i < 4; ++i)
                    tet[i] = middles[way][i];
                if (replaced >= 0) {
                    const int left = (replaced + 1) % 4, right = (replaced + 2) % 4;
                    tet[replaced] = X + Y + Z - tet[replaced];
                    tet[left] = middles[way][right]; // mirrored, so turned over
                    tet[right] = middles[way][left];
                }
                for (int i = 0; i < 4; ++i)
                    fprintf(file, "%d ", 4 * cell + 1 + tet[i]);
                fprintf(file, "0\n");
            }
    fprintf(file, "End\n");
    return fclose(file) == 0;
}

/// The scene; `guided_mesh` is the file of the guided bar's mesh, or NULL for the free bar.
static inline void bar_scene(char *text, size_t size, const char *guided_mesh, const char *integrator,
                             double wave_speed, double step)
{
    const double share = guided_mesh ? 0.5 : 1;
    const char *const pins =
        guided_mesh ? ", \"pins\": [{\"select\": {\"box\": [[-9, -9, -9], [9, 9, 9]]}, \"axes\": \"yz\"}]"
                    : "";
    char geometry[512];
    if (guided_mesh)
        snprintf(geometry, sizeof geometry, "{\"mesh\": \"%s\"}", guided_mesh);
    else
        snprintf(geometry, sizeof geometry, "{\"box\": {\"size\": [%g, %g, %g], \"cells\": [%d, 1, 1]}}",
                 BAR_LENGTH, BAR_WIDTH, BAR_WIDTH, BAR_CELLS);
    snprintf(
        text, size,
        "{\"version\": 1, \"time\": {\"step\": %.17g, \"duration\": 1000}, \"gravity\": [0, 0, 0],"
        " \"integrator\": {\"type\": \"%s\"}, \"solver\": {\"type\": \"newton\", \"tolerance\": 1e-6},"
        " \"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": %.17g, \"youngs_modulus\": %.17g, "
        "\"poissons_ratio\": 0}},"
        " \"bodies\": [{\"geometry\": %s, \"material\": \"m\", \"translate\": [%.17g, 0, 0], \"velocity\": [-1, 0, 0]%s}],"
        " \"obstacles\": [{\"plane\": {\"point\": [0, 0, 0], \"normal\": [1, 0, 0]}}],"
        " \"contact\": {\"model\": \"barrier\", \"self\": false, \"distance\": %g, \"stiffness\": %.17g}}",
        step, integrator, share * BAR_DENSITY, share * bar_modulus(wave_speed), geometry,
        0.5 * BAR_LENGTH + 2 * BAR_RANGE, pins, BAR_RANGE, share * bar_wall_stiffness(wave_speed));
}

#endif
