/// From a scene file to its checked definition.
#ifndef SCENE_PARSE_H
#define SCENE_PARSE_H

#include "scene/scene.h"

/// Reads and checks a scene. `overrides` are the texts of `--set path.to.key=value`. On VELA_ERROR_INVALID_INPUT the
/// message names file, JSON path (or line and column for broken JSON), what was found, what was expected, and for an
/// unknown key the nearest known one; names of later versions are refused as "not in this version". Mesh files are only
/// looked for and hashed. Everything is owned by `arena`, also after a failure. VELA_ERROR_IO, VELA_ERROR_OUT_OF_MEMORY.
VelaResult scene_read(VelaContext *context, const char *path, int32_t override_count,
                      const char *const *overrides, Arena *arena, SceneDef *scene);

/// Reads the scene.json of a run folder for what is drawn: mesh files are not looked for (they may have gone since the
/// run), so `hash` stays 0, and `overrides` may change only what is under `render` and the `look` of bodies and obstacles.
/// Otherwise as scene_read.
VelaResult scene_read_recorded(VelaContext *context, const char *path, int32_t override_count,
                               const char *const *overrides, Arena *arena, SceneDef *scene);

/// The same as scene_read for text in memory; `path` is used for messages and relative names.
VelaResult scene_parse(VelaContext *context, const char *path, const char *text, size_t length,
                       int32_t override_count, const char *const *overrides, Arena *arena, SceneDef *scene);

#endif
