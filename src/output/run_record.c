#define _POSIX_C_SOURCE 200809L
#include "base/file.h"
#include "base/json.h"
#include "output/run_folder.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static const char *const STATE_NAMES[] = {"running", "finished", "interrupted", "failed"};

const char *run_state_name(RunState state)
{
    return STATE_NAMES[state];
}

// ------------------------------------------------------------------------------------------------ writing

static void write_string_field(FILE *file, const char *key, const char *string)
{
    fprintf(file, "  \"%s\": ", key);
    json_write_string(file, string);
    fputs(",\n", file);
}

static void write_number_field(FILE *file, const char *key, double number)
{
    fprintf(file, "  \"%s\": ", key);
    json_write_number(file, number);
    fputs(",\n", file);
}

static void write_count_field(FILE *file, const char *key, int64_t count)
{
    fprintf(file, "  \"%s\": ", key);
    if (count < 0)
        fputs("null,\n", file);
    else
        fprintf(file, "%lld,\n", (long long)count);
}

static void write_timings(FILE *file, const RunRecord *record)
{
    fputs("  \"phases\": [", file);
    for (int32_t i = 0; i < record->phase_count; ++i) {
        fprintf(file, "%s\n    {\"name\": ", i ? "," : "");
        json_write_string(file, record->phases[i].name);
        fputs(", \"seconds\": ", file);
        json_write_number(file, record->phases[i].seconds);
        fputs("}", file);
    }
    fprintf(file, "%s],\n  \"kernels\": [", record->phase_count ? "\n  " : "");
    for (int32_t i = 0; i < record->kernel_count; ++i) {
        const RunKernel *kernel = &record->kernels[i];
        fprintf(file, "%s\n    {\"name\": ", i ? "," : "");
        json_write_string(file, kernel->name);
        fprintf(file, ", \"dispatches\": %lld, \"milliseconds\": ", (long long)kernel->dispatches);
        json_write_number(file, kernel->milliseconds);
        fputs("}", file);
    }
    fprintf(file, "%s],\n", record->kernel_count ? "\n  " : "");
}

static void write_counts(FILE *file, const RunRecord *record)
{
    write_count_field(file, "nodes", record->nodes);
    write_count_field(file, "tets", record->tets);
    write_count_field(file, "triangles", record->triangles);
    write_count_field(file, "bodies", record->bodies);
    write_number_field(file, "time_step", record->time_step);
    write_count_field(file, "frame_every", record->frame_every);
    write_count_field(file, "steps_planned", record->steps_planned);
    write_count_field(file, "steps_done", record->steps_done);
    write_count_field(file, "frames_planned", record->frames_planned);
    write_count_field(file, "frames_done", record->frames_done);
    write_count_field(file, "resumed_from_step", record->resumed_from_step);
    write_count_field(file, "iterations", record->iterations);
    write_count_field(file, "unconverged_steps", record->unconverged_steps);
    write_count_field(file, "host_waits", record->host_waits);
}

void run_time_text(char text[RUN_TIME_CAPACITY])
{
    const time_t now = time(NULL);
    struct tm calendar;
    gmtime_r(&now, &calendar);
    strftime(text, RUN_TIME_CAPACITY, "%Y-%m-%dT%H:%M:%SZ", &calendar);
}

static void write_record(FILE *file, const RunRecord *record)
{
    fputs("{\n", file);
    write_string_field(file, "program", "vela");
    write_string_field(file, "version", record->version ? record->version : vela_version());
    write_string_field(file, "revision", record->revision ? record->revision : vela_revision());
    write_string_field(file, "state", STATE_NAMES[record->state]);
    write_string_field(file, "message", record->message);
    write_string_field(file, "started", record->started);
    write_number_field(file, "wall_seconds", record->wall_seconds);
    write_string_field(file, "scene_name", record->scene_name);
    write_string_field(file, "scene_path", record->scene_path);
    fprintf(file, "  \"scene_hash\": \"%016llx\",\n", (unsigned long long)record->scene_hash);
    write_string_field(file, "device_kind", record->device_kind);
    write_string_field(file, "device", record->device);
    write_string_field(file, "device_reason", record->device_reason);
    write_string_field(file, "driver", record->driver);
    write_string_field(file, "render_device", record->render_device);
    write_string_field(file, "precision", record->precision);
    write_count_field(file, "threads", record->threads);
    write_counts(file, record);
    write_timings(file, record);
    fputs("  \"format\": 1\n}\n", file);
}

VelaResult run_record_write(VelaContext *context, const char *folder, const RunRecord *record)
{
    char path[RUN_PATH_CAPACITY];
    TRY(run_path(context, folder, "run.json", path));
    FileWriter writer;
    TRY(file_writer_open(&writer, context, path));
    write_record(writer.file, record);
    return file_writer_commit(&writer, true);
}

bool run_record_last_words(const char *folder, const RunRecord *record, LastWords *words)
{
    const int length = snprintf(words->path, sizeof words->path, "%s/run.json", folder);
    snprintf(words->temporary, sizeof words->temporary, "%s/%s", folder, RUN_LAST_WORDS_FILE);
    FILE *file = length < (int)sizeof words->path ? fmemopen(words->text, sizeof words->text, "wb") : NULL;
    if (!file)
        return false;
    write_record(file, record);
    const long end = fflush(file) == 0 && !ferror(file) ? ftell(file) : -1;
    words->length = end > 0 ? (size_t)end : 0;
    return fclose(file) == 0 && end > 0;
}

// ------------------------------------------------------------------------------------------------ reading

typedef struct RecordFile {
    VelaContext *context;
    const char *path;
    Arena *arena;
} RecordFile;

static VelaResult read_string(const RecordFile *file, const cJSON *object, const char *key,
                              const char **string)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!item || cJSON_IsNull(item))
        return VELA_OK;
    FAIL_IF(file->context, !cJSON_IsString(item), VELA_ERROR_INVALID_INPUT,
            "%s: %s: expected a string or null", file->path, key);
    char *copy;
    TRY(arena_string(file->arena, item->valuestring, strlen(item->valuestring), &copy));
    *string = copy;
    return VELA_OK;
}

static VelaResult read_number(const RecordFile *file, const cJSON *object, const char *key, double *number)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!item || cJSON_IsNull(item))
        return VELA_OK;
    FAIL_IF(file->context, !cJSON_IsNumber(item), VELA_ERROR_INVALID_INPUT,
            "%s: %s: expected a number or null", file->path, key);
    *number = item->valuedouble;
    return VELA_OK;
}

// A missing or null count keeps what `*count` was set to.
static VelaResult read_count(const RecordFile *file, const cJSON *object, const char *key, double limit,
                             int64_t *count)
{
    double number = (double)*count;
    TRY(read_number(file, object, key, &number));
    FAIL_IF(file->context, !(number >= -1 && number <= limit), VELA_ERROR_INVALID_INPUT,
            "%s: %s: found %g, expected a count up to %g", file->path, key, number, limit);
    *count = (int64_t)number;
    return VELA_OK;
}

static VelaResult read_counts(const RecordFile *file, const cJSON *object, RunRecord *record)
{
    const struct {
        const char *key;
        int64_t *count;
    } counts[] = {
        {"nodes", &record->nodes},
        {"tets", &record->tets},
        {"triangles", &record->triangles},
        {"bodies", &record->bodies},
        {"steps_planned", &record->steps_planned},
        {"steps_done", &record->steps_done},
        {"frames_planned", &record->frames_planned},
        {"frames_done", &record->frames_done},
        {"resumed_from_step", &record->resumed_from_step},
        {"iterations", &record->iterations},
        {"unconverged_steps", &record->unconverged_steps},
        {"host_waits", &record->host_waits},
    };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i)
        TRY(read_count(file, object, counts[i].key, 9007199254740992.0, counts[i].count));
    int64_t threads = 0, frame_every = 0;
    TRY(read_count(file, object, "threads", INT32_MAX, &threads));
    TRY(read_count(file, object, "frame_every", INT32_MAX, &frame_every));
    record->threads = (int32_t)threads;
    record->frame_every = (int32_t)frame_every;
    return VELA_OK;
}

static VelaResult read_strings(const RecordFile *file, const cJSON *object, RunRecord *record)
{
    const struct {
        const char *key;
        const char **string;
    } strings[] = {
        {"version", &record->version},         {"revision", &record->revision},
        {"message", &record->message},         {"started", &record->started},
        {"scene_name", &record->scene_name},   {"scene_path", &record->scene_path},
        {"device_kind", &record->device_kind}, {"device", &record->device},
        {"driver", &record->driver},           {"device_reason", &record->device_reason},
        {"precision", &record->precision},     {"render_device", &record->render_device},
    };
    for (size_t i = 0; i < sizeof strings / sizeof strings[0]; ++i)
        TRY(read_string(file, object, strings[i].key, strings[i].string));
    return VELA_OK;
}

static VelaResult read_timings(const RecordFile *file, const cJSON *object, RunRecord *record)
{
    const cJSON *phases = cJSON_GetObjectItemCaseSensitive(object, "phases");
    const cJSON *kernels = cJSON_GetObjectItemCaseSensitive(object, "kernels");
    FAIL_IF(file->context, (phases && !cJSON_IsArray(phases)) || (kernels && !cJSON_IsArray(kernels)),
            VELA_ERROR_INVALID_INPUT, "%s: phases and kernels: expected arrays", file->path);
    RunPhase *phase;
    RunKernel *kernel;
    TRY(ARENA_ARRAY(file->arena, phase, cJSON_GetArraySize(phases)));
    TRY(ARENA_ARRAY(file->arena, kernel, cJSON_GetArraySize(kernels)));
    record->phases = phase;
    record->kernels = kernel;
    const cJSON *item;
    cJSON_ArrayForEach(item, phases)
    {
        TRY(read_string(file, item, "name", &phase->name));
        TRY(read_number(file, item, "seconds", &phase->seconds));
        ++phase;
    }
    cJSON_ArrayForEach(item, kernels)
    {
        TRY(read_string(file, item, "name", &kernel->name));
        TRY(read_count(file, item, "dispatches", 9007199254740992.0, &kernel->dispatches));
        TRY(read_number(file, item, "milliseconds", &kernel->milliseconds));
        ++kernel;
    }
    record->phase_count = (int32_t)(phase - record->phases);
    record->kernel_count = (int32_t)(kernel - record->kernels);
    return VELA_OK;
}

static VelaResult read_state_and_hash(const RecordFile *file, const cJSON *object, RunRecord *record)
{
    const char *program = NULL, *state = NULL, *hash = NULL;
    TRY(read_string(file, object, "program", &program));
    TRY(read_string(file, object, "state", &state));
    TRY(read_string(file, object, "scene_hash", &hash));
    FAIL_IF(file->context, !program || strcmp(program, "vela") != 0, VELA_ERROR_INVALID_INPUT,
            "%s: program: found '%.100s', expected 'vela'", file->path, program ? program : "nothing");
    int found = -1;
    for (int i = 0; state && i < (int)(sizeof STATE_NAMES / sizeof STATE_NAMES[0]); ++i)
        if (strcmp(state, STATE_NAMES[i]) == 0)
            found = i;
    FAIL_IF(file->context, found < 0, VELA_ERROR_INVALID_INPUT,
            "%s: state: found '%.100s', expected running, finished, interrupted or failed", file->path,
            state ? state : "nothing");
    record->state = (RunState)found;
    FAIL_IF(file->context, !hash || strlen(hash) != 16 || strspn(hash, "0123456789abcdef") != 16,
            VELA_ERROR_INVALID_INPUT, "%s: scene_hash: found '%.100s', expected 16 hexadecimal digits",
            file->path, hash ? hash : "nothing");
    for (int i = 0; i < 16; ++i)
        record->scene_hash =
            record->scene_hash << 4 | (uint64_t)(hash[i] <= '9' ? hash[i] - '0' : hash[i] - 'a' + 10);
    return VELA_OK;
}

static VelaResult read_record(const RecordFile *file, const cJSON *object, RunRecord *record)
{
    FAIL_IF(file->context, !cJSON_IsObject(object), VELA_ERROR_INVALID_INPUT, "%s: expected a JSON object",
            file->path);
    TRY(read_state_and_hash(file, object, record));
    TRY(read_strings(file, object, record));
    TRY(read_counts(file, object, record));
    TRY(read_number(file, object, "time_step", &record->time_step));
    TRY(read_number(file, object, "wall_seconds", &record->wall_seconds));
    return read_timings(file, object, record);
}

VelaResult run_record_read(VelaContext *context, const char *folder, Arena *arena, RunRecord *record)
{
    *record = (RunRecord){.resumed_from_step = -1, .host_waits = -1};
    char path[RUN_PATH_CAPACITY];
    TRY(run_path(context, folder, "run.json", path));
    struct stat status;
    FAIL_IF(context, stat(folder, &status) != 0, VELA_ERROR_INVALID_INPUT, "%s: cannot be opened: %s", folder,
            strerror(errno));
    FAIL_IF(context, stat(path, &status) != 0, VELA_ERROR_INVALID_INPUT,
            "%s: not a run folder: it holds no run.json", folder);
    char *text;
    size_t size;
    TRY(file_read(context, path, arena, &text, &size));
    const char *end = NULL;
    cJSON *object = cJSON_ParseWithLengthOpts(text, size + 1, &end, true);
    FAIL_IF(context, !object, VELA_ERROR_INVALID_INPUT, "%s: not valid JSON near byte %td", path,
            end ? end - text : (ptrdiff_t)0);
    const RecordFile file = {context, path, arena};
    const VelaResult result = read_record(&file, object, record);
    cJSON_Delete(object);
    return result;
}

void run_record_warn_missing(VelaContext *context, const char *folder, const RunRecord *record,
                             int64_t frames)
{
    if (frames < record->frames_done)
        context_log(
            context, VELA_LOG_WARNING,
            "%s/states/%06lld.vst is missing: the run wrote %lld frames, only the %lld before it are used",
            folder, (long long)frames, (long long)record->frames_done, (long long)frames);
}
