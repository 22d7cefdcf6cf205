/// Joints under barrier contact: the zones around them, in which two joined bodies make no pair (model/exclusions.h).
#ifndef MODEL_CONTACT_JOINTS_H
#define MODEL_CONTACT_JOINTS_H

#include "model/model.h"

/// Two points that are held together.
typedef struct ContactJoint {
    int32_t owners[2];   ///< the two of ModelContact.owners that they are of, both bodies'; they may be one
    double points[2][3]; ///< where each of the two is held, m, initial state
} ContactJoint;

/// The joints among the model's constraints: those of the types attach, ball and hinge between two bodies, two copies of one, or (attach)
/// two places of one. What the world holds is no joint. The owners are numbered whatever the contact.
VelaResult contact_joints_find(const Model *model, Arena *arena, int32_t *count, ContactJoint **joints);
/// Sets the zones of model->contact.exclusions by contact.clearance or, where that is not given, by twice d-hat and the separation of the
/// two; those that were there before are forgotten. The rest of model->contact is there already.
VelaResult contact_joints_exclude(VelaContext *context, Arena *arena, int32_t count,
                                  const ContactJoint *joints, Model *model);

#endif
