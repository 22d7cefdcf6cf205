/// What a line search asks of barrier contact (barrier_contact.h).
#ifndef DEVICE_CPU_CONTACT_BARRIER_TRIALS_H
#define DEVICE_CPU_CONTACT_BARRIER_TRIALS_H

#include "device/cpu/contact/barrier_state.h"

/// Trials along d, on the last sweep, of whose motion from x d is `part`.
void barrier_trials(BarrierContact *contact, const double *x, const double *d, double part, int count,
                    const double *steps, ContactTrial *trials);

#endif
