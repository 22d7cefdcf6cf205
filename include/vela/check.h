/// Validating a scene and planning its simulation, simulating nothing.
#ifndef VELA_CHECK_H
#define VELA_CHECK_H

#include "vela/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a scene would simulate. Counts include all array copies.
typedef struct VelaSceneReport {
    char name[256];      ///< the scene's name
    char integrator[64]; ///< "variational (alpha 0.5)"
    char solver[64];     ///< "admm (tolerance 1e-05, at most 500 iterations)"
    char contact[64];    ///< "barrier (distance 0.001 m, stiffness 100 N/m)", "none"
    int64_t bodies;      ///< array copies counted one by one
    int64_t obstacles;   ///< of all kinds
    int64_t planes, spheres, meshes;
    int64_t mesh_triangles;    ///< of the mesh obstacles
    int64_t nodes;             ///< unused ones included
    int64_t pinned_nodes;      ///< nodes with prescribed motion, of some components at least
    int64_t elements;          ///< tetrahedra
    int64_t surface_triangles; ///< of the bodies' own surfaces
    int64_t skin_vertices, skin_triangles;
    int64_t pieces;         ///< parts of bodies that share no node; array copies counted one by one
    double low[3], high[3]; ///< box around the bodies at the start, m
    double shortest_edge, mean_edge, longest_edge; ///< of the elements at rest, m
    double mass;                                   ///< kg
    double step;                                   ///< s
    double duration;                               ///< s
    int64_t steps;
    int64_t frames;             ///< frames that would be saved
    int64_t images;             ///< images that would be written; 0 with output.images "none"
    uint64_t memory_cpu;        ///< bytes the CPU path plans for
    uint64_t memory_vulkan_f32; ///< bytes of device memory the Vulkan path plans for
    uint64_t memory_vulkan_f64;
    char vulkan
        [512];     ///< whether the best device here has room for it, and if not, why; "" where there is none
    uint64_t disk; ///< bytes of states, checkpoint and diagnostics; images not counted
} VelaSceneReport;

/// Reads a scene with its meshes, checks it and its initial state as vela_run does, and plans it. Overrides as in VelaRunDef;
/// strings are borrowed for the call. What is wrong but can be worked around (turned elements, unused nodes)
/// goes to the log, with the warnings that vela_run would give. VELA_ERROR_INVALID_INPUT, VELA_ERROR_UNSUPPORTED, VELA_ERROR_IO,
/// VELA_ERROR_OUT_OF_MEMORY.
VelaResult vela_check(VelaContext *context, const char *scene, int32_t override_count,
                      const char *const *overrides, VelaSceneReport *report);

#ifdef __cplusplus
}
#endif
#endif
