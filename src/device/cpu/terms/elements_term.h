/// The term of the elements on the CPU path, all kinds alike.
#ifndef DEVICE_CPU_TERMS_ELEMENTS_TERM_H
#define DEVICE_CPU_TERMS_ELEMENTS_TERM_H

#include "device/cpu/terms/term.h"

extern const CpuTerm cpu_elements_term;

#endif
