/// What images show of constraints: joints as small pins, distances as thin rods. They are cables beside the recorded ones, a body of pins
/// and one of rods behind the scene's, and their points are vertices behind the others.
#ifndef API_DRAWN_CONSTRAINTS_H
#define API_DRAWN_CONSTRAINTS_H

#include "output/frame.h"
#include "scene/scene.h"

typedef struct DrawnConstraints {
    const FrameTopology *topology; ///< with what is added; the recorded one where nothing is
    const FrameTopology *recorded;
    int32_t joint_count, rod_count; ///< those that are drawn
    Frame frame;                    ///< room for one with what is added
} DrawnConstraints;

/// Pins where the scene asks for joints, rods there and where it colours by tension. All is owned by `arena`; `recorded` must outlive it.
VelaResult drawn_constraints_make(const SceneDef *scene, const FrameTopology *recorded, Arena *arena,
                                  DrawnConstraints *drawn);
/// A recorded frame with what is added, valid until the next call.
const Frame *drawn_constraints_frame(DrawnConstraints *drawn, const Frame *frame);

#endif
