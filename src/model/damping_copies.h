/// Copies of D x that ADMM has for damping (theory.md sections 6 and 7): which elements have them and how much they weigh, for every
/// device.
#ifndef MODEL_DAMPING_COPIES_H
#define MODEL_DAMPING_COPIES_H

#include "model/model.h"

/// The copies of all models whose R is quadratic; others are numbers of power laws in their materials' lists.
#define DAMPING_QUADRATIC (-1)

enum { MODEL_DAMPING_COPIES_MOST = 17 };

/// Levels of a power law's weight, which is 4^level times the elastic one.
enum { LAW_LEVEL_LEAST = -5, LAW_LEVEL_MOST = 2 };

/// Whether elements of a kind and material have the copy of `law`, of models that see velocities as they are, not less rigid motions.
bool model_has_damping_copy(const ModelMaterial *material, int32_t kind, int law);
/// Whether any element of a kind has it.
bool model_kind_has_damping_copy(const Model *model, int32_t kind, int law);
/// Fills `laws`, DAMPING_QUADRATIC first, with those that elements have; returns how many: 0 where ADMM solves no stages.
int32_t model_damping_copies(const Model *model, int laws[MODEL_DAMPING_COPIES_MOST]);

/// The kinds of element that have any of them, bits.
uint32_t model_damping_kinds(const Model *model);

/// The weight, J, of the copy of all quadratic models of an element of `volume` m^3 beside the `elastic` one, for a stage of `duration` s.
double model_damping_weight(const ModelMaterial *material, int32_t kind, double volume, double duration,
                            double elastic);
/// The level that a law asks for where all laws take `power` W together at the step's start: its mean viscosity there over `duration`
/// against the elastic `weights` (of every element, J). `before`: the last level, kept unless it is far off, or NULL.
int model_law_level(const Model *model, const double *weights, int law, double power, double duration,
                    const int *before);

/// What the solver's state has of a law's copies: this many numbers, its level and the duration its weights are for, s; then image and
/// projection of every element that has it.
#define DAMPING_STATE_HEADER 2

/// Fills `places`, of every element, with where its image is behind that header, `element_size` numbers, its projection behind them. Returns
/// the numbers of D x of all its elements.
size_t model_damping_state(const Model *model, int law, size_t *places);

#endif
