/// Boxes of one material that are held at one end and sag, as scenes.
#ifndef BENCH_HELD_BOX_H
#define BENCH_HELD_BOX_H

#include <stdio.h>

typedef struct HeldBox {
    const char *name;
    double size[3]; ///< m
    int cells[3];
} HeldBox;

enum { HELD_BOX_TEXT = 2048 };

static inline void held_box_scene(const HeldBox *box, double modulus, double ratio, char text[HELD_BOX_TEXT])
{
    snprintf(
        text, HELD_BOX_TEXT,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 10},"
        "\"integrator\": {\"type\": \"implicit_euler\"}, \"solver\": {\"type\": \"newton\"},"
        "\"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": %g, "
        "\"poissons_ratio\": %g}}, \"bodies\": [{\"geometry\": {\"box\": {\"size\": [%g, %g, %g], \"cells\": "
        "[%d, %d, %d]}}, \"material\": \"m\", \"pins\": [{\"select\": {\"box\": [[-9, -9, -9], [%g, 9, 9]]}}]}]}",
        modulus, ratio, box->size[0], box->size[1], box->size[2], box->cells[0], box->cells[1], box->cells[2],
        -0.499 * box->size[0]);
}

#endif
