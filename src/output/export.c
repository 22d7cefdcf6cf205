#define _POSIX_C_SOURCE 200809L // rmdir
#include "output/export.h"

#include "base/file.h"
#include "output/export_surface.h"
#include "output/frame.h"
#include "output/run_folder.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NPY_ALIGNMENT = 64, NPY_PREFIX = 10 };

// What all formats work on.
typedef struct Export {
    VelaContext *context;
    const char *folder, *output;
    bool output_is_foreign; ///< `output` is not the place within the run folder
    FrameTopology topology;
    int64_t frame_count;
    Arena arena; ///< lives as long as the export; frames are read behind a mark
} Export;

// ------------------------------------------------------------------------------------------------ npy

// Header of NumPy's format 1.0: magic, version, length, and a Python dictionary padded to a multiple of 64 bytes.
static void write_npy_header(FILE *file, const char *type, int dimensions, const int64_t *shape)
{
    char text[256];
    int length = snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (", type);
    for (int i = 0; i < dimensions; ++i)
        length +=
            snprintf(text + length, sizeof text - (size_t)length, i ? ", %lld" : "%lld", (long long)shape[i]);
    // A Python tuple of one has a comma.
    length += snprintf(text + length, sizeof text - (size_t)length, dimensions == 1 ? ",), }" : "), }");
    const int padded =
        (NPY_PREFIX + length + 1 + NPY_ALIGNMENT - 1) / NPY_ALIGNMENT * NPY_ALIGNMENT - NPY_PREFIX;
    const unsigned char prefix[NPY_PREFIX] = {
        0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)(padded & 255), (unsigned char)(padded >> 8)};
    fwrite(prefix, 1, sizeof prefix, file);
    fprintf(file, "%s%*s\n", text, padded - length - 1, "");
}

static VelaResult npy_open(const Export *export, const char *name, const char *type, int dimensions,
                           const int64_t *shape, FileWriter *writer)
{
    char path[RUN_PATH_CAPACITY];
    TRY(run_path(export->context, export->output, name, path));
    TRY(file_writer_open(writer, export->context, path));
    write_npy_header(writer->file, type, dimensions, shape);
    return VELA_OK;
}

static VelaResult npy_append(const FileWriter *writer, const void *data, int64_t count, size_t size)
{
    errno = 0;
    FAIL_IF(writer->context, fwrite(data, size, (size_t)count, writer->file) != (size_t)count, VELA_ERROR_IO,
            "%s: cannot be written: %s", writer->path, errno ? strerror(errno) : "write error");
    return VELA_OK;
}

static VelaResult interrupted(const Export *export)
{
    FAIL_IF(export->context, export->context->interrupted, VELA_ERROR_INTERRUPTED,
            "the export was interrupted");
    return VELA_OK;
}

enum { POSITIONS, VELOCITIES, TIMES, STRESS, STRAIN, MULTIPLIERS, MOTION_FILES };

static const struct {
    const char *name, *type;
    int dimensions, columns; ///< frames x (vertices, elements or rows of constraints) x columns
} motion_files[MOTION_FILES] = {
    [POSITIONS] = {"positions.npy", "<f8", 3, 3},
    [VELOCITIES] = {"velocities.npy", "<f8", 3, 3},
    [TIMES] = {"times.npy", "<f8", 1, 1},
    [STRESS] = {"stress.npy", "<f4", 3, STRESS_COMPONENTS},
    [STRAIN] = {"strain.npy", "<f4", 3, PRINCIPAL_STRAINS},
    [MULTIPLIERS] = {"multipliers.npy", "<f8", 2, 1},
};

static VelaResult npy_append_frames(Export *export, const bool has[MOTION_FILES],
                                    const FileWriter writers[MOTION_FILES])
{
    const int64_t values = 3 * (int64_t) export->topology.vertex_count,
                  elements = export->topology.element_count;
    for (int64_t i = 0; i < export->frame_count; ++i) {
        const ArenaMark mark = arena_mark(&export->arena);
        Frame frame;
        TRY(interrupted(export));
        TRY(frame_read(export->context, export->folder, i, &export->topology, &export->arena, &frame));
        TRY(npy_append(&writers[POSITIONS], frame.positions, values, sizeof(double)));
        TRY(npy_append(&writers[VELOCITIES], frame.velocities, values, sizeof(double)));
        TRY(npy_append(&writers[TIMES], &frame.time, 1, sizeof(double)));
        FAIL_IF(export->context, has[STRESS] && !frame.stress, VELA_ERROR_INVALID_INPUT,
                "%s: frame %lld holds no stress, expected it as in frame 0", export->folder, (long long)i);
        if (has[STRESS]) {
            TRY(npy_append(&writers[STRESS], frame.stress, STRESS_COMPONENTS * elements, sizeof(float)));
            TRY(npy_append(&writers[STRAIN], frame.strain, PRINCIPAL_STRAINS * elements, sizeof(float)));
        }
        if (has[MULTIPLIERS])
            TRY(npy_append(&writers[MULTIPLIERS], frame.multipliers, export->topology.multiplier_count,
                           sizeof(double)));
        arena_release(&export->arena, mark);
    }
    return VELA_OK;
}

// Whether the run has recorded stress.
static VelaResult has_stress(Export *export, bool *has)
{
    Frame frame;
    const ArenaMark mark = arena_mark(&export->arena);
    TRY(frame_read(export->context, export->folder, 0, &export->topology, &export->arena, &frame));
    *has = frame.stress != NULL;
    arena_release(&export->arena, mark);
    return VELA_OK;
}

static VelaResult npy_write_motion(Export *export)
{
    const FrameTopology *topology = &export->topology;
    const int32_t counts[MOTION_FILES] = {
        [POSITIONS] = topology->vertex_count,       [VELOCITIES] = topology->vertex_count,
        [STRESS] = topology->element_count,         [STRAIN] = topology->element_count,
        [MULTIPLIERS] = topology->multiplier_count,
    };
    bool stress;
    TRY(has_stress(export, &stress));
    const bool has[MOTION_FILES] = {true, true, true, stress, stress, topology->multiplier_count > 0};
    FileWriter writers[MOTION_FILES] = {0};
    VelaResult result = VELA_OK;
    int opened = 0;
    for (; result == VELA_OK && opened < MOTION_FILES; opened += result == VELA_OK) {
        const int64_t shape[3] = {export->frame_count, counts[opened], motion_files[opened].columns};
        if (has[opened])
            result = npy_open(export, motion_files[opened].name, motion_files[opened].type,
                              motion_files[opened].dimensions, shape, &writers[opened]);
    }
    if (result == VELA_OK)
        result = npy_append_frames(export, has, writers);
    for (int i = 0; i < opened; ++i)
        if (has[i] && result == VELA_OK)
            result = file_writer_commit(&writers[i], false);
        else if (has[i])
            file_writer_discard(&writers[i]);
    return result;
}

static VelaResult npy_write(const Export *export, const char *name, const char *type, const void *data,
                            int64_t rows, int64_t columns, size_t size)
{
    FileWriter writer;
    TRY(npy_open(export, name, type, 2, (const int64_t[]){rows, columns}, &writer));
    const VelaResult result = npy_append(&writer, data, rows * columns, size);
    if (result == VELA_OK)
        return file_writer_commit(&writer, false);
    file_writer_discard(&writer);
    return result;
}

static VelaResult npy_write_indices(const Export *export, const char *name, const int32_t *indices,
                                    int64_t rows, int64_t columns)
{
    return npy_write(export, name, "<i4", indices, rows, columns, sizeof *indices);
}

// Which vertices, tetrahedra, triangles and segments are whose: first and number of each, a row a body.
static VelaResult npy_write_bodies(Export *export)
{
    enum { COLUMNS = 9 };
    const FrameTopology *topology = &export->topology;
    int32_t(*rows)[COLUMNS];
    TRY(ARENA_ARRAY(&export->arena, rows, topology->body_count));
    for (int32_t b = 0; b < topology->body_count; ++b) {
        const FrameBody *body = &topology->bodies[b];
        const int32_t row[6] = {body->first_vertex, body->vertex_count,   body->first_tet,
                                body->tet_count,    body->first_triangle, body->triangle_count};
        memcpy(rows[b], row, sizeof row);
        rows[b][8] = body->skin_vertex_count;
    }
    for (int32_t c = topology->cable_count - 1; c >= 0; --c) {
        int32_t *row = rows[topology->cables[c].body];
        row[6] = topology->cables[c].first_segment;
        row[7] += topology->cables[c].segment_count;
    }
    return npy_write_indices(export, "bodies.npy", rows[0], topology->body_count, COLUMNS);
}

static VelaResult export_npy(Export *export)
{
    const FrameTopology *topology = &export->topology;
    TRY(npy_write_motion(export));
    TRY(npy_write(export, "rest_positions.npy", "<f8", topology->rest_positions, topology->vertex_count, 3,
                  sizeof(double)));
    TRY(npy_write_bodies(export));
    TRY(npy_write_indices(export, "tets.npy", topology->tets, topology->tet_count, 4));
    TRY(npy_write_indices(export, "triangles.npy", topology->triangles, topology->triangle_count, 3));
    TRY(npy_write_indices(export, "triangle_elements.npy", topology->triangle_elements,
                          topology->triangle_count, 1));
    if (topology->segment_count == 0)
        return VELA_OK;
    TRY(npy_write_indices(export, "segment_elements.npy", topology->segment_elements, topology->segment_count,
                          1));
    return npy_write_indices(export, "segments.npy", topology->segments, topology->segment_count, 2);
}

// ------------------------------------------------------------------------------------------------ obj, ply

static VelaResult export_surfaces(Export *export, const char *format)
{
    ExportSurface surface;
    TRY(export_surface_make(export->context, &export->topology, &export->arena, &surface));
    for (int64_t i = 0; i < export->frame_count; ++i) {
        const ArenaMark mark = arena_mark(&export->arena);
        char name[64], path[RUN_PATH_CAPACITY];
        Frame frame;
        TRY(interrupted(export));
        TRY(frame_read(export->context, export->folder, i, &export->topology, &export->arena, &frame));
        snprintf(name, sizeof name, "%06lld.%s", (long long)i, format);
        TRY(run_path(export->context, export->output, name, path));
        if (strcmp(format, "obj") == 0)
            TRY(export_surface_obj(export->context, path, &export->topology, &surface, &frame));
        else
            TRY(export_surface_ply(export->context, path, &surface, &frame, &export->arena));
        arena_release(&export->arena, mark);
    }
    return VELA_OK;
}

// ------------------------------------------------------------------------------------------------ entry

static VelaResult check_format(VelaContext *context, const char *format)
{
    static const char *const known[] = {"npy", "obj", "ply"}, *const later[] = {"vtu", "pc2", "usda"};
    for (int i = 0; i < 3; ++i) {
        if (strcmp(format, known[i]) == 0)
            return VELA_OK;
        FAIL_IF(context, strcmp(format, later[i]) == 0, VELA_ERROR_UNSUPPORTED,
                "export format '%s': not in this version, expected npy, obj or ply", format);
    }
    return context_fail(context, VELA_ERROR_INVALID_INPUT, "export format '%.100s': expected npy, obj or ply",
                        format);
}

static VelaResult check_output(const Export *export, const char *format)
{
    static const char *const names[] = {"positions.npy",
                                        "velocities.npy",
                                        "times.npy",
                                        "tets.npy",
                                        "triangles.npy",
                                        "segments.npy",
                                        "stress.npy",
                                        "strain.npy",
                                        "rest_positions.npy",
                                        "bodies.npy",
                                        "triangle_elements.npy",
                                        "segment_elements.npy",
                                        "multipliers.npy",
                                        NULL};
    if (!export->output_is_foreign)
        return VELA_OK;
    char ending[16];
    snprintf(ending, sizeof ending, ".%.8s", format);
    const bool arrays = strcmp(format, "npy") == 0;
    return output_folder_check(export->context, export->output, arrays ? names : NULL,
                               arrays ? NULL : ending);
}

static VelaResult export_all(Export *export, const char *format)
{
    RunRecord record;
    TRY(run_record_read(export->context, export->folder, &export->arena, &record));
    TRY(frame_count(export->context, export->folder, &export->frame_count));
    run_record_warn_missing(export->context, export->folder, &record, export->frame_count);
    FAIL_IF(export->context, export->frame_count == 0, VELA_ERROR_INVALID_INPUT,
            "%s: holds no frames (states/000000.vst), expected those of a run", export->folder);
    TRY(frame_read_topology(export->context, export->folder, &export->arena, &export->topology));
    TRY(check_output(export, format));
    struct stat status;
    const bool is_new = stat(export->output, &status) != 0;
    TRY(file_make_folder(export->context, export->output));
    const VelaResult result =
        strcmp(format, "npy") == 0 ? export_npy(export) : export_surfaces(export, format);
    if (result != VELA_OK && is_new)
        rmdir(export->output); // only if it is empty: a full disk leaves no empty folder behind
    return result;
}

VelaResult export_motion(VelaContext *context, const char *folder, const char *format, const char *output)
{
    TRY(check_format(context, format));
    char path[RUN_PATH_CAPACITY];
    const bool is_foreign = output != NULL;
    if (!output) {
        TRY(run_path(context, folder, format, path));
        output = path;
    }
    Export export = {.context = context,
                     .folder = folder,
                     .output = output,
                     .output_is_foreign = is_foreign,
                     .arena = arena_make(context)};
    const VelaResult result = export_all(&export, format);
    arena_clear(&export.arena);
    return result;
}
