/// The term of barrier contact and friction on the CPU path.
#ifndef DEVICE_CPU_CONTACT_CONTACT_TERM_H
#define DEVICE_CPU_CONTACT_CONTACT_TERM_H

#include "device/cpu/terms/term.h"

extern const CpuTerm cpu_contact_term;

#endif
