#define _DEFAULT_SOURCE   // flock
#define _XOPEN_SOURCE 700 // nftw, realpath
#include "output/run_folder.h"

#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

// What vela writes straight into a run folder, run.json aside, which is replaced and never missing in
// between.
static const char *const WRITTEN_FILES[] = {"checkpoint.vck",    "scene.json",           "diagnostics.csv",
                                            "energy.png",        "momentum.png",         "run.json.part",
                                            RUN_LAST_WORDS_FILE, RUN_PREVIOUS_CHECKPOINT};
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
        FAIL_IF(context, errno != ENOENT,
                file_is_wrong_path(errno) ? VELA_ERROR_INVALID_INPUT : VELA_ERROR_IO,
                "%s: cannot be opened as a folder: %s", inner, strerror(errno));
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

// Whether `name` is one that a folder may hold without belonging to somebody; see folder_is_foreign.
typedef bool (*NameFunction)(const char *name, const void *user);

// Looks for a file in `folder` that `is_known` does not know, into `found` ("": there is none).
static VelaResult find_stranger(VelaContext *context, const char *folder, NameFunction is_known,
                                const void *user, char found[256])
{
    found[0] = 0;
    struct stat status;
    if (stat(folder, &status) != 0) {
        const int reason = errno;
        // What is not there can be made, but not where a link leads to nowhere.
        if (reason == ENOENT && lstat(folder, &status) != 0)
            return VELA_OK;
        return context_fail(context, file_is_wrong_path(reason) ? VELA_ERROR_INVALID_INPUT : VELA_ERROR_IO,
                            "-o: %s: cannot be used as a folder: %s", folder, strerror(reason));
    }
    FAIL_IF(context, !S_ISDIR(status.st_mode), VELA_ERROR_INVALID_INPUT,
            "%s: found a file, expected a folder or nothing of that name", folder);
    DIR *stream = access(folder, W_OK | X_OK) == 0 ? opendir(folder) : NULL;
    FAIL_IF(context, !stream, file_is_wrong_path(errno) ? VELA_ERROR_INVALID_INPUT : VELA_ERROR_IO,
            "-o: %s: cannot be written into: %s", folder, strerror(errno));
    for (struct dirent *entry; !found[0] && (entry = readdir(stream));) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && !is_known(name, user))
            snprintf(found, 256, "%s", name);
    }
    closedir(stream);
    return VELA_OK;
}

// A run.json.part alone is what a run leaves that was killed in its first moment.
static bool is_first_moment(const char *name, const void *user)
{
    (void)user;
    return strcmp(name, "run.json.part") == 0;
}

static bool is_file(const char *folder, const char *name)
{
    char path[2 * RUN_PATH_CAPACITY];
    struct stat status;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static bool has_checkpoint(const char *folder)
{
    return is_file(folder, "checkpoint.vck") || is_file(folder, RUN_PREVIOUS_CHECKPOINT);
}

VelaResult run_folder_keep_checkpoint(VelaContext *context, const char *folder)
{
    char path[RUN_PATH_CAPACITY], previous[RUN_PATH_CAPACITY];
    TRY(run_path(context, folder, "checkpoint.vck", path));
    TRY(run_path(context, folder, RUN_PREVIOUS_CHECKPOINT, previous));
    if (!is_file(folder, "checkpoint.vck"))
        return VELA_OK;
    TRY(remove_file(context, previous));
    if (link(path, previous) != 0) // two names of one file: the checkpoint is never missing
        context_log(context, VELA_LOG_DEBUG, "%s: %s", previous, strerror(errno));
    return VELA_OK;
}

bool run_folder_holds_run(const char *folder)
{
    return is_file(folder, "run.json");
}

// Whether a run came no further than its first frame: killed at once, it left nothing to keep or to go on from.
static bool holds_no_more_than_a_start(const char *folder)
{
    return !has_checkpoint(folder) && !is_file(folder, "states/000001.vst");
}

// The place for what `folder` holds now: beside it, links followed. "" where there is nothing to keep.
static VelaResult previous_path(VelaContext *context, const char *folder, char real[RUN_PATH_CAPACITY],
                                char previous[RUN_PATH_CAPACITY])
{
    previous[0] = 0;
    if (!run_folder_holds_run(folder) || holds_no_more_than_a_start(folder))
        return VELA_OK;
    char resolved[PATH_MAX], working[RUN_PATH_CAPACITY];
    FAIL_IF(context, !realpath(folder, resolved), VELA_ERROR_IO, "%s: %s", folder, strerror(errno));
    const int length = snprintf(real, RUN_PATH_CAPACITY, "%s", resolved);
    const int longer = snprintf(previous, RUN_PATH_CAPACITY, "%s.previous", real);
    FAIL_IF(context, longer >= RUN_PATH_CAPACITY, VELA_ERROR_INVALID_INPUT,
            "%s.previous: the path has %d characters, expected fewer than %d", real, longer,
            RUN_PATH_CAPACITY);
    const bool inside = getcwd(working, sizeof working) && strncmp(working, real, (size_t)length) == 0 &&
                        (working[length] == 0 || working[length] == '/');
    FAIL_IF(
        context, inside, VELA_ERROR_INVALID_INPUT,
        "%s: a new run would move this folder to %s, and it is or holds the working folder; expected to be "
        "started from elsewhere",
        folder, previous);
    return VELA_OK;
}

VelaResult run_folder_check(VelaContext *context, const char *folder)
{
    char path[RUN_PATH_CAPACITY], real[RUN_PATH_CAPACITY], previous[RUN_PATH_CAPACITY], found[256];
    TRY(run_path(context, folder, "run.json", path));
    TRY(find_stranger(context, folder, is_first_moment, NULL, found));
    if (!found[0])
        return VELA_OK;
    FAIL_IF(context, !run_folder_holds_run(folder), VELA_ERROR_INVALID_INPUT,
            "%s: found a folder that is no run folder (it holds '%s' and no run.json), expected an empty or "
            "new one, or that of a run, which then moves to %s.previous",
            folder, found, folder);
    TRY(previous_path(context, folder, real, previous));
    if (!previous[0])
        return VELA_OK;
    TRY(find_stranger(context, previous, is_first_moment, NULL, found));
    FAIL_IF(
        context, found[0] && !run_folder_holds_run(previous), VELA_ERROR_INVALID_INPUT,
        "%s: found a folder that is no run folder (it holds '%s' and no run.json), and the run in %s would "
        "move there; expected it to be moved away, or another -o",
        previous, found, folder);
    return VELA_OK;
}

VelaResult run_folder_check_resume(VelaContext *context, const char *folder)
{
    FAIL_IF(context, !run_folder_holds_run(folder), VELA_ERROR_INVALID_INPUT,
            "--resume: %s: there is nothing to resume: found no run.json, expected the folder of a run (-o); "
            "without --resume a new run begins there",
            folder);
    FAIL_IF(
        context, !has_checkpoint(folder) && !holds_no_more_than_a_start(folder), VELA_ERROR_INVALID_INPUT,
        "--resume: %s: there is nothing to resume from: found no checkpoint.vck; without --resume a new run "
        "begins, and what is there moves to %s.previous",
        folder, folder);
    return VELA_OK;
}

typedef struct OwnNames {
    const char *const *names, *ending;
} OwnNames;

static bool is_own(const char *name, const void *user)
{
    const OwnNames *own = user;
    if (own->ending && frame_number(name, own->ending) >= 0)
        return true;
    for (const char *const *known = own->names; known && *known; ++known) {
        const size_t length = strlen(*known);
        if (strncmp(name, *known, length) == 0 && (!name[length] || strcmp(name + length, ".part") == 0))
            return true;
    }
    return false;
}

VelaResult output_folder_check(VelaContext *context, const char *folder, const char *const *names,
                               const char *ending)
{
    const OwnNames own = {names, ending};
    char found[256];
    FAIL_IF(context, !*folder, VELA_ERROR_INVALID_INPUT, "-o: found an empty name, expected a folder");
    TRY(find_stranger(context, folder, is_own, &own, found));
    FAIL_IF(
        context, found[0], VELA_ERROR_INVALID_INPUT,
        "-o: %s: found a folder that holds '%s', expected a new or an empty one, or one with nothing but what "
        "was written there before in the same way",
        folder, found);
    return VELA_OK;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status, (void)type, (void)place;
    return remove(path);
}

// Removes a folder with all it holds; links are removed, not followed. One that is not there is fine.
static VelaResult remove_tree(VelaContext *context, const char *folder)
{
    enum { OPEN_FOLDERS = 16 };
    FAIL_IF(context,
            nftw(folder, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS | FTW_MOUNT) != 0 &&
                errno != ENOENT,
            VELA_ERROR_IO, "%s: cannot be removed: %s", folder, strerror(errno));
    return VELA_OK;
}

VelaResult run_folder_set_aside(VelaContext *context, const char *folder, int *lock)
{
    char real[RUN_PATH_CAPACITY], previous[RUN_PATH_CAPACITY], oldest[RUN_PATH_CAPACITY + 8];
    TRY(previous_path(context, folder, real, previous));
    if (!previous[0])
        return VELA_OK;
    snprintf(oldest, sizeof oldest, "%s.part", previous);
    int previous_lock = -1;
    struct stat status;
    const bool exists = lstat(previous, &status) == 0;
    if (exists)
        TRY(run_folder_lock(context, previous, &previous_lock));
    // The older run goes last: wherever this is cut off, both are still there.
    VelaResult result = remove_tree(context, oldest);
    if (result == VELA_OK && exists && rename(previous, oldest) != 0)
        result = context_fail(context, VELA_ERROR_IO, "%s: cannot be moved: %s", previous, strerror(errno));
    if (result == VELA_OK && rename(real, previous) != 0) {
        result = context_fail(context, VELA_ERROR_IO, "%s: cannot be moved to %s: %s", real, previous,
                              strerror(errno));
        if (exists && rename(oldest, previous) != 0)
            result = context_fail_prefix(context, result, "%s: what was in %s", oldest, previous);
    }
    if (result == VELA_OK)
        result = remove_tree(context, oldest);
    run_folder_unlock(previous_lock);
    TRY(result);
    context_log(context, VELA_LOG_INFO, "%s: the run that was there is now in %s", folder, previous);
    run_folder_unlock(*lock);
    *lock = -1;
    TRY(file_make_folder(context, real)); // where the path is a link, it leads there again
    return run_folder_lock(context, folder, lock);
}

VelaResult run_folder_lock(VelaContext *context, const char *folder, int *lock)
{
    *lock = -1;
    TRY(file_make_folder(context, folder));
    const int opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    FAIL_IF(context, opened < 0, file_is_wrong_path(errno) ? VELA_ERROR_INVALID_INPUT : VELA_ERROR_IO,
            "%s: cannot be opened: %s", folder, strerror(errno));
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
