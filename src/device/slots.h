/// Which slots of node vectors a scene's integrator works with; devices keep no others.
#ifndef DEVICE_SLOTS_H
#define DEVICE_SLOTS_H

#include "device/device.h"

/// Bit s: slot s; all where the scene has none of the integrators. The slots up to SLOT_STAGE are always among them, so that these
/// have the same number on every device.
uint32_t scene_slots(const SceneDef *scene);
/// How many slots before `slot` there are; in all for SLOT_COUNT.
int slots_before(uint32_t slots, Slot slot);

#endif
