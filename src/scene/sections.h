/// The parts of a scene file, each read into the scene, in the order in which scene_parse calls them.
#ifndef SCENE_SECTIONS_H
#define SCENE_SECTIONS_H

#include "scene/reader.h"
#include "scene/scene.h"

/// Puts `--set` texts into the tree and remembers in reader->overrides what they touched. Into a recorded scene only what is
/// drawn: all under `render`, and the `look` of bodies and obstacles.
VelaResult overrides_apply(Reader *reader, cJSON *root, int32_t count, const char *const *texts);

VelaResult read_time(const Reader *reader, const Place *root, SceneDef *scene);
/// The solver that suits what is in the scene: `compliant` for hard constraints, `newton` for what `admm` does not take.
SolverType default_solver(const Place *root);
/// The solver that the scene names, else default_solver.
SolverType chosen_solver(const Place *root);
VelaResult read_integrator(const Reader *reader, const Place *root, SceneDef *scene);
VelaResult read_solver(const Reader *reader, const Place *root, SceneDef *scene);
/// After bodies.
VelaResult read_constraints(const Reader *reader, const Place *root, SceneDef *scene);
VelaResult read_contact(const Reader *reader, const Place *root, SceneDef *scene);
VelaResult read_render(const Reader *reader, const Place *root, SceneDef *scene);
VelaResult read_output(const Reader *reader, const Place *root, SceneDef *scene);
VelaResult read_materials(const Reader *reader, const Place *root, SceneDef *scene);
VelaResult read_bodies(const Reader *reader, const Place *root, SceneDef *scene);
VelaResult read_obstacles(const Reader *reader, const Place *root, SceneDef *scene);

/// A mesh file's name at `at`, made absolute (relative ones count from the scene's folder); the file must exist unless
/// the scene is a recorded one.
VelaResult mesh_path_at(const Reader *reader, const Place *at, const char **path);
VelaResult read_geometry(const Reader *reader, const Place *body, GeometryDef *geometry);
/// What goes with a body's type: its own keys, and whether geometry, material and solver fit it.
VelaResult read_type_keys(const Reader *reader, const Place *body, const SceneDef *scene, BodyDef *out);
/// Whether the body enters as forces or as constraints, after its regions: their materials have to fit.
VelaResult read_formulation(const Reader *reader, const Place *body, const SceneDef *scene, BodyDef *out);
/// {axis, degrees} under the key that the table is named after; what is not given stays as it is.
VelaResult read_turn(const Reader *reader, const Place *owner, const NameTable *keys, double axis[3],
                     double *degrees);
VelaResult read_pins(const Reader *reader, const Place *body, BodyDef *out);
/// The selector under the key "select" of `owner`.
VelaResult read_select(const Reader *reader, const Place *owner, SelectDef *select);
VelaResult read_motion(const Reader *reader, const Place *owner, Motion *motion);
/// After the body's type.
VelaResult read_loads(const Reader *reader, const Place *body, const SceneDef *scene, BodyDef *out);
VelaResult read_look(const Reader *reader, const Place *owner, LookDef *look);

/// The resolved scene as JSON text; without `with_paths` mesh paths are left empty (for the hash, which takes
/// the contents of the meshes instead, so that a scene keeps its hash when it moves).
VelaResult scene_write_text(Arena *arena, const SceneDef *scene, bool with_paths, const char **text,
                            size_t *length);
/// Continues `*hash` over the bytes of every mesh file of the scene's bodies and obstacles, each once.
VelaResult scene_hash_meshes(VelaContext *context, const SceneDef *scene, uint64_t *hash);

#endif
