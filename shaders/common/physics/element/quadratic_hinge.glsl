// Bending at an inner edge of a shell, quadratic in positions; twin of src/physics/element/quadratic_hinge.h. kappa is times the
// volume here, J.
#ifndef COMMON_PHYSICS_ELEMENT_QUADRATIC_HINGE_GLSL
#define COMMON_PHYSICS_ELEMENT_QUADRATIC_HINGE_GLSL

#define ELEMENT_CORNERS 4
#define ELEMENT_COLUMNS 1
#define ELEMENT_CAN_INVERT 0
#define ELEMENT_EXACT 1 ///< what is left of the sum is far below the rounding of its parts
#define ELEMENT_DATA QUADRATIC_HINGE_DATA

#include "common/physics/element/quadratic_form.glsl"

#endif
