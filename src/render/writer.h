/// The thread that turns finished pixels into PNG files.
#ifndef RENDER_WRITER_H
#define RENDER_WRITER_H

#include "scene/scene.h"

enum { WRITER_SLOTS = 2 };

typedef struct WriterDef {
    int32_t width, height;
    ColorBy color_by; ///< for the legend; COLOR_BY_BODY: none
    double value_min, value_max;
} WriterDef;

typedef struct Writer Writer;

/// Starts the thread.
VelaResult writer_create(VelaContext *context, const WriterDef *def, Writer **writer);
/// Waits for what was submitted, ends the thread. NULL is allowed.
void writer_destroy(Writer *writer);
/// Writes RGBA pixels to `path`, in the thread. `slot` (0 to WRITER_SLOTS - 1) must be idle; the pixels stay the
/// thread's until writer_wait for that slot. VELA_ERROR_OUT_OF_MEMORY.
VelaResult writer_submit(Writer *writer, int32_t slot, const uint8_t *rgba, const char *path);
/// Waits until the slot is idle, and reports the first error since the last report.
VelaResult writer_wait(Writer *writer, int32_t slot);

#endif
