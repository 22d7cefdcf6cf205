/// Constraints of a model (theory.md section 10): those that the scene names, affine bodies kept rigid, and bodies in constraint form.
/// Points of the world are nodes of their own behind all others, pinned to their motion: anchors.
#ifndef MODEL_CONSTRAINTS_H
#define MODEL_CONSTRAINTS_H

#include "model/bodies.h"
#include "model/model.h"

/// How many elements the scene's constraints are, of each kind, where they are forces (model_has_constraint_solver).
void model_count_links(const SceneDef *scene, int64_t counts[ELEMENT_KIND_COUNT]);
/// Most anchors that the scene's constraints need.
int32_t model_anchor_count(const SceneDef *scene);
/// Whether the scene's solver takes constraints as such, so that affine bodies are rigid and bodies may be in constraint form; else
/// they are forces.
bool model_has_constraint_solver(const SceneDef *scene);
/// Adds all constraints, once bodies, obstacles and pins are there. With a solver for them it takes the stiffness away from the elements that
/// they replace; else it adds them as elements of the kinds ELEMENT_LINK and ELEMENT_JOINT.
/// VELA_ERROR_INVALID_INPUT for a node that a body does not have, two ends at one place where a length or an angle is asked for, a
/// hinge on something that has no orientation.
VelaResult model_add_constraints(VelaContext *context, const BodyMesh *meshes, Arena *arena, Model *model);

/// Values, slopes and columns of a constraint at positions (3 each). Pure.
void model_constraint_evaluate(const ModelConstraint *constraint, const double *x,
                               double columns[CONSTRAINT_COLUMNS_MOST][3], ConstraintLocal *local);
/// Energy 1/2 phi C^-1 phi (J) of the constraints with compliance, and the largest error of the hard ones: |phi| in m, angles times the
/// distance of their ends, strains times the body's size, inequalities where they are violated. Pure.
void model_constraint_state(const Model *model, const double *x, double *energy, double *error);
/// By how much a constraint is not met there, m: |phi| with the measures of model_constraint_state, whether it is hard or not. Pure.
double model_constraint_error(const ModelConstraint *constraint, const double *x);
/// out = C v, rows x rows by rows (a constraint's compliance is symmetric). Pure.
void model_constraint_compliance(const ModelConstraint *constraint, const double *v, double *out);
/// The constraint that an element stands for, by the element's number; -1: none.
int32_t model_constraint_of_element(const Model *model, int32_t number);

#endif
