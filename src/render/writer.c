#define _POSIX_C_SOURCE 200809L
#include "render/writer.h"

#include "base/numeric_locale.h"
#include "base/png.h"
#include "render/legend.h"

#include <pthread.h>
#include <string.h>

typedef struct WriterJob {
    const uint8_t *rgba;
    char *path;
    int64_t order; // 0: idle
} WriterJob;

struct Writer {
    VelaContext *context;        // the caller's
    VelaContext *worker_context; // the thread's: messages are not shared
    WriterDef def;
    uint8_t *rgb; // the thread's
    pthread_t thread;
    bool started;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    // below: guarded by the mutex
    WriterJob jobs[WRITER_SLOTS];
    int64_t submitted;
    bool ending;
    VelaResult result;
    char message[2048];
};

static VelaResult image_write(Writer *writer, const WriterJob *job)
{
    const size_t pixel_count = (size_t)writer->def.width * (size_t)writer->def.height;
    for (size_t i = 0; i < pixel_count; ++i)
        memcpy(writer->rgb + 3 * i, job->rgba + 4 * i, 3);
    legend_draw(writer->rgb, writer->def.width, writer->def.height, writer->def.color_by,
                writer->def.value_min, writer->def.value_max);
    return png_write(writer->worker_context, job->path, writer->def.width, writer->def.height, 3,
                     writer->rgb);
}

static int32_t job_oldest(const Writer *writer)
{
    int32_t oldest = -1;
    for (int32_t i = 0; i < WRITER_SLOTS; ++i)
        if (writer->jobs[i].order && (oldest < 0 || writer->jobs[i].order < writer->jobs[oldest].order))
            oldest = i;
    return oldest;
}

static void *writer_main(void *argument)
{
    Writer *writer = argument;
    NumericLocale locale;
    const VelaResult entered = numeric_locale_enter(writer->worker_context, &locale);
    pthread_mutex_lock(&writer->mutex);
    for (;;) {
        const int32_t slot = job_oldest(writer);
        if (slot < 0) {
            if (writer->ending)
                break;
            pthread_cond_wait(&writer->changed, &writer->mutex);
            continue;
        }
        const WriterJob job = writer->jobs[slot];
        pthread_mutex_unlock(&writer->mutex);
        const VelaResult result = entered == VELA_OK ? image_write(writer, &job) : entered;
        pthread_mutex_lock(&writer->mutex);
        if (result != VELA_OK && writer->result == VELA_OK) {
            writer->result = result;
            memcpy(writer->message, vela_context_message(writer->worker_context), sizeof writer->message);
        }
        context_free(writer->context, job.path);
        writer->jobs[slot] = (WriterJob){0};
        pthread_cond_broadcast(&writer->changed);
    }
    pthread_mutex_unlock(&writer->mutex);
    numeric_locale_leave(&locale);
    return NULL;
}

VelaResult writer_create(VelaContext *context, const WriterDef *def, Writer **writer)
{
    *writer = NULL;
    Writer *created = context_allocate(context, sizeof *created);
    FAIL_IF(context, !created, VELA_ERROR_OUT_OF_MEMORY, "out of memory: no room for the image writer");
    created->context = context;
    created->def = *def;
    pthread_mutex_init(&created->mutex, NULL);
    pthread_cond_init(&created->changed, NULL);
    created->rgb = context_allocate(context, 3 * (size_t)def->width * (size_t)def->height);
    const VelaContextDef worker_def = vela_default_context_def();
    if (!created->rgb || vela_context_create(&worker_def, &created->worker_context) != VELA_OK) {
        writer_destroy(created);
        return context_fail(context, VELA_ERROR_OUT_OF_MEMORY, "out of memory: no room for images of %d x %d",
                            def->width, def->height);
    }
    if (pthread_create(&created->thread, NULL, writer_main, created) != 0) {
        writer_destroy(created);
        return context_fail(context, VELA_ERROR_OUT_OF_MEMORY,
                            "the thread that writes images cannot be started");
    }
    created->started = true;
    *writer = created;
    return VELA_OK;
}

void writer_destroy(Writer *writer)
{
    if (!writer)
        return;
    if (writer->started) {
        pthread_mutex_lock(&writer->mutex);
        writer->ending = true;
        pthread_cond_broadcast(&writer->changed);
        pthread_mutex_unlock(&writer->mutex);
        pthread_join(writer->thread, NULL);
    }
    pthread_cond_destroy(&writer->changed);
    pthread_mutex_destroy(&writer->mutex);
    vela_context_destroy(writer->worker_context);
    context_free(writer->context, writer->rgb);
    context_free(writer->context, writer);
}

VelaResult writer_submit(Writer *writer, int32_t slot, const uint8_t *rgba, const char *path)
{
    const size_t length = strlen(path);
    char *copy = context_allocate(writer->context, length + 1);
    FAIL_IF(writer->context, !copy, VELA_ERROR_OUT_OF_MEMORY, "out of memory: %s cannot be written", path);
    memcpy(copy, path, length);
    pthread_mutex_lock(&writer->mutex);
    writer->jobs[slot] = (WriterJob){.rgba = rgba, .path = copy, .order = ++writer->submitted};
    pthread_cond_broadcast(&writer->changed);
    pthread_mutex_unlock(&writer->mutex);
    return VELA_OK;
}

VelaResult writer_wait(Writer *writer, int32_t slot)
{
    pthread_mutex_lock(&writer->mutex);
    while (writer->jobs[slot].order)
        pthread_cond_wait(&writer->changed, &writer->mutex);
    const VelaResult result = writer->result;
    if (result != VELA_OK)
        context_fail(writer->context, result, "%s", writer->message);
    writer->result = VELA_OK;
    pthread_mutex_unlock(&writer->mutex);
    return result;
}
