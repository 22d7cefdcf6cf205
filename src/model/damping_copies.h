/// Copies of D x that ADMM has for damping (theory.md sections 6 and 7): which elements have them and how much they weigh, for every
/// device.
#ifndef MODEL_DAMPING_COPIES_H
#define MODEL_DAMPING_COPIES_H

#include "model/model.h"

enum { MODEL_LAWS_MOST = 16, MODEL_DAMPING_COPIES_MOST = DAMPING_SIDES * (MODEL_LAWS_MOST + 1) + 1 };

/// What a copy is for, beside the number of a power law in its material's list: all models whose R is quadratic, or the variational one.
enum { COPY_OF_QUADRATICS = -1, COPY_OF_VARIATIONAL = -2 };

/// Of the entries on a side.
typedef struct DampingCopy {
    int law; ///< as above
    DampingSide side;
} DampingCopy;

/// Levels of a power law's weight, which is 4^level times the elastic one.
enum { LAW_LEVEL_LEAST = -5, LAW_LEVEL_MOST = 2 };

/// Whether elements of a kind and material have a copy.
bool model_has_damping_copy(const ModelMaterial *material, int32_t kind, DampingCopy copy);
/// Whether any element of a kind has it.
bool model_kind_has_damping_copy(const Model *model, int32_t kind, DampingCopy copy);
/// Fills `copies` with those that elements have, side by side, quadratic models before laws, the variational one last; returns how many: 0
/// where ADMM solves no stages.
int32_t model_damping_copies(const Model *model, DampingCopy copies[MODEL_DAMPING_COPIES_MOST]);

/// The kinds of element that have any of them, bits.
uint32_t model_damping_kinds(const Model *model);

/// k_D of the variational model, s.
double model_variational_time(const DampingList *list);

/// The weight, J, of a copy of element `e` of a kind beside the `elastic` one, for a stage of `duration` s; `level`: of a law.
double model_damping_weight(const Model *model, DampingCopy copy, int32_t kind, int32_t e, int level,
                            double duration, double elastic);
/// The level that a law asks for where all laws take `power` W together at the step's start: its mean viscosity there over `duration`
/// against the elastic `weights` (of every element, J). `before`: the last level, kept unless it is far off, or NULL.
int model_law_level(const Model *model, const double *weights, DampingCopy copy, double power,
                    double duration, const int *before);

/// What the solver's state has of one of them: this many numbers, its level and the duration its weights are for, s; then image and
/// projection of every element that has it.
#define DAMPING_STATE_HEADER 2

/// Fills `places`, of every element, with where its image is behind that header, `element_size` numbers, its projection behind them. Returns
/// the numbers of D x of all its elements.
size_t model_damping_state(const Model *model, DampingCopy copy, size_t *places);

#endif
