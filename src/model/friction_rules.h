/// Which coefficient of friction holds between two bodies, or a body and an obstacle: scene_friction (scene/scene.h) for
/// scenes of many bodies. What contact.pairs say is kept by pairs of numbers, sorted, so that a look-up takes a few steps,
/// however many bodies, copies and pairs there are.
#ifndef MODEL_FRICTION_RULES_H
#define MODEL_FRICTION_RULES_H

#include "scene/scene.h"

/// An entry of contact.pairs, for one pair of what its names stand for.
typedef struct FrictionRule {
    uint64_t key;  ///< both numbers: bodies, then materials, then obstacles, each as the scene counts them
    int32_t entry; ///< index into contact.pairs: a later one holds among equals
    double friction;
} FrictionRule;

typedef struct FrictionRules {
    const SceneDef *scene;
    int32_t rule_count;
    FrictionRule *rules; ///< ascending by key, each key once
} FrictionRules;

/// `scene` must outlive the rules.
VelaResult friction_rules_build(VelaContext *context, const SceneDef *scene, Arena *arena,
                                FrictionRules *rules);
/// As scene_friction, with the same arguments.
double friction_rules_find(const FrictionRules *rules, int32_t body_a, int32_t body_b, int32_t obstacle);
/// Whether any two of the scene's bodies and obstacles rub; under penalty contact bodies do not meet one another.
VelaResult friction_rules_any(VelaContext *context, const FrictionRules *rules, bool *any);

#endif
