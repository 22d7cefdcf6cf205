#define _DEFAULT_SOURCE // flock
#include "output/run_folder.h"

#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

// What vela writes straight into a run folder, run.json aside, which is replaced and never missing in
// between.
static const char *const WRITTEN_FILES[] = {"checkpoint.vck", "scene.json",   "diagnostics.csv",
                                            "energy.png",     "momentum.png", "run.json.part"};
enum { WRITTEN_FILE_COUNT = sizeof WRITTEN_FILES / sizeof WRITTEN_FILES[0], FRAME_DIGITS = 6 };

// Number of the frame when `name` is six or more digits and `ending`, or that followed by ".part"; else -1.
static int64_t frame_number(const char *name, const char *ending)
{
    int64_t number = 0;
    int digits = 0;
    for (; name[digits] >= '0' && name[digits] <= '9' && digits < 18; ++digits)
        number = 10 * number + (name[digits] - '0');
    const size_t length = strlen(ending);
    if (digits < FRAME_DIGITS || strncmp(name + digits, ending, length) != 0)
        return -1;
    const char *rest = name + digits + length;
    return rest[0] == 0 || strcmp(rest, ".part") == 0 ? number : -1;
}

static VelaResult remove_file(VelaContext *context, const char *path)
{
    FAIL_IF(context, unlink(path) != 0 && errno != ENOENT, VELA_ERROR_IO, "%s: cannot be removed: %s", path,
            strerror(errno));
    return VELA_OK;
}

// Removes the numbered files from `first` on in folder/name.
static VelaResult remove_frames(VelaContext *context, const char *folder, const char *name,
                                const char *ending, int64_t first)
{
    char inner[RUN_PATH_CAPACITY], path[RUN_PATH_CAPACITY];
    TRY(run_path(context, folder, name, inner));
    DIR *stream = opendir(inner);
    if (!stream) {
        FAIL_IF(context, errno != ENOENT, VELA_ERROR_IO, "%s: cannot be opened: %s", inner, strerror(errno));
        return VELA_OK;
    }
    VelaResult result = VELA_OK;
    for (struct dirent *entry; result == VELA_OK && (entry = readdir(stream));) {
        if (frame_number(entry->d_name, ending) < first)
            continue;
        result = run_path(context, inner, entry->d_name, path);
        if (result == VELA_OK)
            result = remove_file(context, path);
    }
    closedir(stream);
    return result;
}

VelaResult run_folder_truncate_frames(VelaContext *context, const char *folder, int64_t first)
{
    TRY(remove_frames(context, folder, "states", ".vst", first));
    return remove_frames(context, folder, "images", ".png", first);
}

VelaResult run_folder_check(VelaContext *context, const char *folder)
{
    char path[RUN_PATH_CAPACITY];
    TRY(run_path(context, folder, "run.json", path));
    struct stat status;
    if (stat(folder, &status) != 0) {
        const bool wrong_name = errno == ENOTDIR || errno == ENAMETOOLONG;
        FAIL_IF(context, errno != ENOENT, wrong_name ? VELA_ERROR_INVALID_INPUT : VELA_ERROR_IO,
                "-o: %s: cannot be used as run folder: %s", folder, strerror(errno));
        return VELA_OK;
    }
    FAIL_IF(context, !S_ISDIR(status.st_mode), VELA_ERROR_INVALID_INPUT,
            "%s: found a file, expected a folder or nothing of that name", folder);
    if (stat(path, &status) == 0 && S_ISREG(status.st_mode))
        return VELA_OK;
    DIR *stream = opendir(folder);
    FAIL_IF(context, !stream, VELA_ERROR_IO, "%s: cannot be opened: %s", folder, strerror(errno));
    char found[256] = "";
    // A run.json.part alone is what a run leaves that was killed in its first moment.
    for (struct dirent *entry; !found[0] && (entry = readdir(stream));) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && strcmp(name, "run.json.part") != 0)
            snprintf(found, sizeof found, "%s", name);
    }
    closedir(stream);
    FAIL_IF(context, found[0], VELA_ERROR_INVALID_INPUT,
            "%s: found a folder that is no run folder (it holds '%s' and no run.json), expected an empty or "
            "new one, or a run to replace",
            folder, found);
    return VELA_OK;
}

VelaResult run_folder_lock(VelaContext *context, const char *folder, int *lock)
{
    *lock = -1;
    TRY(file_make_folder(context, folder));
    const int opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    FAIL_IF(context, opened < 0, VELA_ERROR_IO, "%s: cannot be opened: %s", folder, strerror(errno));
    if (flock(opened, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        close(opened);
        return context_fail(context, VELA_ERROR_INVALID_INPUT,
                            "%s: another run is writing into this folder, expected one that no run uses",
                            folder);
    }
    *lock = opened;
    return VELA_OK;
}

void run_folder_unlock(int lock)
{
    if (lock >= 0)
        close(lock);
}

VelaResult run_folder_create(VelaContext *context, const char *folder, const RunRecord *record)
{
    TRY(run_folder_check(context, folder));
    TRY(file_make_folder(context, folder));
    char path[RUN_PATH_CAPACITY];
    // The checkpoint goes first and run.json is replaced next: wherever this is cut off, no old run can be
    // resumed under a new name, and the folder stays a run folder.
    TRY(run_path(context, folder, WRITTEN_FILES[0], path));
    TRY(remove_file(context, path));
    TRY(run_record_write(context, folder, record));
    for (int i = 1; i < WRITTEN_FILE_COUNT; ++i) {
        TRY(run_path(context, folder, WRITTEN_FILES[i], path));
        TRY(remove_file(context, path));
    }
    TRY(run_folder_truncate_frames(context, folder, 0));
    TRY(run_path(context, folder, "states", path));
    TRY(file_make_folder(context, path));
    TRY(run_path(context, folder, "images", path));
    return file_make_folder(context, path);
}

VelaResult run_folder_write_scene(VelaContext *context, const char *folder, const char *text)
{
    char path[RUN_PATH_CAPACITY];
    TRY(run_path(context, folder, "scene.json", path));
    return file_write(context, path, text, strlen(text));
}
