/// The coarse space's motions where contact holds nodes together. By motions of two parts that touch, each for itself, their nodes go through each other or
/// apart, which a stiff contact makes some thousand times too expensive: nothing would ever move by them. So the nodes of a contact group go to where contact and what
/// pulls them to their parts' motions balance: u = G^-1 F t, with G the group's matrix, t where the parts' motions have its nodes, and F what G's rows sum to. A
/// translation of all stays one.
#ifndef DEVICE_CPU_LINEAR_CONTACT_MOTIONS_H
#define DEVICE_CPU_LINEAR_CONTACT_MOTIONS_H

#include "device/cpu/linear/coarse_space.h"
#include "device/cpu/linear/contact_groups.h"

typedef struct ContactMotions {
    const ContactGroups *groups;
    const CoarseSpace *space;
    int threads;
    bool always;                 ///< whether they pay or not
    MotionDeviations deviations; ///< u - t
    size_t row_capacity, part_capacity, list_capacity, value_capacity;
    Arena growing;
} ContactMotions;

/// Finds the deviations of a group's rows, for which there is room.
typedef void ContactGroupDeviate(const ContactGroup *group, const CoarseSpace *space,
                                 MotionDeviations *deviations);

/// Arrays of every row and part are the arena's.
VelaResult contact_motions_create(Arena *arena, const ContactGroups *groups, const CoarseSpace *space,
                                  int threads, ContactMotions *motions);
void contact_motions_clear(ContactMotions *motions);
/// Whether they are worth what the coarse matrix takes longer with them: where contact holds most rows, far more than anything else does, of a matrix
/// that is so large that an iteration takes long.
bool contact_motions_pay(const ContactMotions *motions);
/// The deviations of the groups as they are.
VelaResult contact_motions_update(ContactMotions *motions, ContactGroupDeviate *deviate);

#endif
