#include "scene/write_parts.h"

void write_motion(Writer *w, const Motion *motion)
{
    if (motion->spin) {
        open_group(w, "motion", "{");
        open_group(w, "spin", "{");
        write_vector(w, "axis", motion->spin_axis);
        write_vector(w, "about", motion->spin_about);
        write_number(w, "speed", motion->spin_speed);
        close_group(w, "}");
        close_group(w, "}");
    }
    if (motion->keyframe_count == 0)
        return;
    open_group(w, "motion", "[");
    for (int32_t i = 0; i < motion->keyframe_count; ++i) {
        const Keyframe *keyframe = &motion->keyframes[i];
        open_group(w, NULL, "{");
        write_number(w, "time", keyframe->time);
        write_vector(w, "translate", keyframe->translate);
        if (keyframe->has_rotation) {
            open_group(w, "rotate", "{");
            write_vector(w, "axis", keyframe->axis);
            write_number(w, "degrees", keyframe->degrees);
            write_vector(w, "about", keyframe->about);
            close_group(w, "}");
        }
        close_group(w, "}");
    }
    close_group(w, "]");
}
