#include "sim/checkpoint.h"

#include "base/file.h"
#include "base/hash.h"

#include <stdio.h>
#include <string.h>

typedef struct CheckpointHeader {
    char magic[8];
    uint32_t version, header_size;
    uint64_t scene_hash;
    char device_kind[16], precision[8];
    int64_t step;
    RunTotals totals;
    uint64_t value_count;
    uint64_t checksum; ///< of the header with 0 here, then the values
} CheckpointHeader;

static const char magic[8] = "velavck";
enum { CHECKPOINT_VERSION = 7 };

static uint64_t checksum_of(CheckpointHeader header, const double *values)
{
    header.checksum = 0;
    return hash_bytes(hash_bytes(HASH_START, &header, sizeof header), values,
                      header.value_count * sizeof *values);
}

static CheckpointHeader make_header(const Simulation *simulation, const RunTotals *totals)
{
    DeviceInfo info;
    device_information(simulation->device, &info);
    CheckpointHeader header;
    memset(&header, 0, sizeof header);
    memcpy(header.magic, magic, sizeof magic);
    header.version = CHECKPOINT_VERSION;
    header.header_size = sizeof header;
    header.scene_hash = simulation->scene.hash;
    snprintf(header.device_kind, sizeof header.device_kind, "%s", info.kind);
    snprintf(header.precision, sizeof header.precision, "%s", info.precision);
    header.step = simulation->step;
    if (totals)
        header.totals = *totals;
    header.value_count = simulation_state_size(simulation);
    return header;
}

VelaResult checkpoint_write(Simulation *simulation, const RunTotals *totals, const char *path)
{
    Arena arena = arena_make(simulation->context);
    CheckpointHeader header = make_header(simulation, totals);
    double *values;
    FileWriter writer;
    VelaResult result;
    TRY_GOTO(result, ARENA_ARRAY(&arena, values, header.value_count), done);
    TRY_GOTO(result, simulation_state_read(simulation, values), done);
    header.checksum = checksum_of(header, values);
    TRY_GOTO(result, file_writer_open(&writer, simulation->context, path), done);
    file_writer_write(&writer, &header, sizeof header);
    file_writer_write(&writer, values, sizeof *values * header.value_count);
    result = file_writer_commit(&writer, true);
done:
    arena_clear(&arena);
    return result;
}

// The header must be what this simulation would write, but for the step, the totals and the checksum.
static VelaResult check_header(Simulation *simulation, const char *path, const char *data, size_t size)
{
    VelaContext *context = simulation->context;
    const CheckpointHeader mine = make_header(simulation, NULL);
    CheckpointHeader header;
    FAIL_IF(context, size < sizeof header || memcmp(data, magic, sizeof magic) != 0, VELA_ERROR_INVALID_INPUT,
            "%s: not a checkpoint of vela", path);
    memcpy(&header, data, sizeof header);
    FAIL_IF(context, header.version != mine.version || header.header_size != mine.header_size,
            VELA_ERROR_INVALID_INPUT,
            "%s: checkpoint format %u, expected %u (written by another version of vela)", path,
            header.version, mine.version);
    FAIL_IF(context, header.scene_hash != mine.scene_hash, VELA_ERROR_INVALID_INPUT,
            "%s: the checkpoint belongs to another scene (hash %016llx, expected %016llx): the scene, a "
            "--set or a mesh has changed since",
            path, (unsigned long long)header.scene_hash, (unsigned long long)mine.scene_hash);
    FAIL_IF(context,
            memcmp(header.device_kind, mine.device_kind, sizeof mine.device_kind) != 0 ||
                memcmp(header.precision, mine.precision, sizeof mine.precision) != 0,
            VELA_ERROR_INVALID_INPUT,
            "%s: the run was made on %.15s in %.7s, expected the same, found %s in %s", path,
            header.device_kind, header.precision, mine.device_kind, mine.precision);
    FAIL_IF(context,
            header.value_count != mine.value_count ||
                size != sizeof header + header.value_count * sizeof(double) || header.step < 0 ||
                header.checksum != checksum_of(header, (const double *)(const void *)(data + sizeof header)),
            VELA_ERROR_INVALID_INPUT, "%s: the checkpoint is damaged (checksum or size is wrong)", path);
    return VELA_OK;
}

VelaResult checkpoint_read(Simulation *simulation, const char *path, RunTotals *totals)
{
    Arena arena = arena_make(simulation->context);
    char *data;
    size_t size;
    VelaResult result = file_read(simulation->context, path, &arena, &data, &size);
    if (result == VELA_OK)
        result = check_header(simulation, path, data, size);
    if (result == VELA_OK) {
        CheckpointHeader header;
        memcpy(&header, data, sizeof header);
        *totals = header.totals;
        result = simulation_state_write(simulation, (const double *)(const void *)(data + sizeof header),
                                        header.step);
    }
    arena_clear(&arena);
    return result;
}
