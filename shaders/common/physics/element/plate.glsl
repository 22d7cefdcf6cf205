// Bending of a shell's triangle by the plate's energy; twin of src/physics/element/plate.h. kappa is times the volume here, J.
#ifndef COMMON_PHYSICS_ELEMENT_PLATE_GLSL
#define COMMON_PHYSICS_ELEMENT_PLATE_GLSL

#define ELEMENT_CORNERS 12
#define ELEMENT_COLUMNS 3
#define ELEMENT_CAN_INVERT 0
#define ELEMENT_EXACT 1 ///< what is left of the sum is far below the rounding of its parts
#define ELEMENT_DATA PLATE_DATA

#include "common/physics/element/quadratic_form.glsl"

#endif
