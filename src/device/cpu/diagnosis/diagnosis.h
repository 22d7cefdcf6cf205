/// Energies, momenta and extremes of a state on the CPU path.
#ifndef DEVICE_CPU_DIAGNOSIS_DIAGNOSIS_H
#define DEVICE_CPU_DIAGNOSIS_DIAGNOSIS_H

#include "device/cpu/cpu_device.h"

VelaResult cpu_diagnose(Device *device, Slot position, Slot velocity, double time, Diagnosis *diagnosis);

#endif
