/// Surfaces that are prescribed on both sides: pinned parts of bodies against each other and against obstacles. Contact cannot
/// keep them apart, since neither side can give way, and does not look at them. So barrier contact tests their motion here: over
/// a step every vertex goes on a straight line from its place at the start to that at the end, as it does in the solver, and two
/// primitives must not come to touch (theory.md section 8, "CCD, additive"). Obstacles may pass through each other. What
/// touches at the start of a step already is left alone.
#ifndef SIM_PRESCRIBED_H
#define SIM_PRESCRIBED_H

#include "model/model.h"

typedef struct Prescribed Prescribed;

/// `*prescribed` is NULL where nothing can meet: without barrier contact, pins, or a prescribed motion. Owned by `arena`; the
/// model must outlive it. VELA_ERROR_OUT_OF_MEMORY.
VelaResult prescribed_create(const Model *model, Arena *arena, Prescribed **prescribed);

/// Looks at the steps after `first` up to the one after `end - 1` (step n + 1 goes from time n h to (n + 1) h): those in which
/// nothing can meet are found from boxes and largest speeds, many at once. `result` with a message that names both surfaces,
/// the step and its time, for the first step in which two of them meet; `work`, if not NULL, is what may still be spent, in
/// vertices and pairs, and comes back with what is left: below 0 where the walk stopped for it, after `*reached` steps.
/// `prescribed` NULL: VELA_OK. VELA_ERROR_OUT_OF_MEMORY.
VelaResult prescribed_check(Prescribed *prescribed, int64_t first, int64_t end, VelaResult result,
                            int64_t *work, int64_t *reached);

#endif
