// Built once for every instruction set with KERNEL_ISA its name; see CMakeLists.txt.
#include "device/cpu/kernels.h"

#include "device/cpu/linear/cholesky_kernels.h"
#include "device/cpu/linear/coarse_assembly_kernels.h"
#include "device/cpu/linear/coarse_kernels.h"
#include "device/cpu/linear/contact_group_kernels.h"
#include "device/cpu/linear/contact_motion_kernels.h"
#include "device/cpu/linear/multiply_kernel.h"
#include "device/cpu/linear/triangular_kernels.h"
#include "physics/element/affine.h"
#include "physics/element/bend.h"
#include "physics/element/hinge.h"
#include "physics/element/joint.h"
#include "physics/element/link.h"
#include "physics/element/membrane.h"
#include "physics/element/plate.h"
#include "physics/element/pressure.h"
#include "physics/element/quadratic_hinge.h"
#include "physics/element/segment.h"
#include "physics/element/tet.h"

#define ELEMENT tet
#define ELEMENT_LOCAL TetLocal
#define ELEMENT_CORNERS 4
#define ELEMENT_COLUMNS 3
#define ELEMENT_CAN_INVERT 1
#define ELEMENT_STRAIN_FORM 1
#define ELEMENT_DAMPING DAMPED
#include "device/cpu/terms/element_kernels.h"

#define ELEMENT segment
#define ELEMENT_LOCAL SegmentLocal
#define ELEMENT_CORNERS 2
#define ELEMENT_COLUMNS 1
#define ELEMENT_CAN_INVERT 0
#define ELEMENT_DAMPING DAMPED
#include "device/cpu/terms/element_kernels.h"

#define ELEMENT bend
#define ELEMENT_LOCAL BendLocal
#define ELEMENT_CORNERS 3
#define ELEMENT_COLUMNS 2
#define ELEMENT_CAN_INVERT 0
#define ELEMENT_DAMPING DAMPED_BY_HESSIAN
#include "device/cpu/terms/element_kernels.h"

#define ELEMENT affine
#define ELEMENT_LOCAL AffineLocal
#define ELEMENT_CORNERS 4
#define ELEMENT_COLUMNS 3
#define ELEMENT_CAN_INVERT 1
#define ELEMENT_DAMPING DAMPED_NOT
#include "device/cpu/terms/element_kernels.h"

#define ELEMENT pressure
#define ELEMENT_LOCAL PressureLocal
#define ELEMENT_CORNERS 4
#define ELEMENT_COLUMNS 3
#define ELEMENT_CAN_INVERT 0
#define ELEMENT_DAMPING DAMPED_NOT
#include "device/cpu/terms/element_kernels.h"

#define ELEMENT membrane
#define ELEMENT_LOCAL MembraneLocal
#define ELEMENT_CORNERS 3
#define ELEMENT_COLUMNS 2
#define ELEMENT_CAN_INVERT 0
#define ELEMENT_DAMPING DAMPED
#include "device/cpu/terms/element_kernels.h"

#define ELEMENT hinge
#define ELEMENT_LOCAL HingeLocal
#define ELEMENT_CORNERS 4
#define ELEMENT_COLUMNS 3
#define ELEMENT_CAN_INVERT 0
#define ELEMENT_DAMPING DAMPED_BY_HESSIAN
#include "device/cpu/terms/element_kernels.h"

#define ELEMENT quadratic_hinge
#define ELEMENT_LOCAL QuadraticHingeLocal
#define ELEMENT_CORNERS 4
#define ELEMENT_COLUMNS 1
#define ELEMENT_CAN_INVERT 0
#define ELEMENT_DAMPING DAMPED_BY_HESSIAN
#include "device/cpu/terms/element_kernels.h"

#define ELEMENT plate
#define ELEMENT_LOCAL PlateLocal
#define ELEMENT_CORNERS 12
#define ELEMENT_COLUMNS 3
#define ELEMENT_CAN_INVERT 0
#define ELEMENT_DAMPING DAMPED_BY_HESSIAN
#include "device/cpu/terms/element_kernels.h"

#define ELEMENT link
#define ELEMENT_LOCAL LinkLocal
#define ELEMENT_CORNERS 8
#define ELEMENT_COLUMNS 1
#define ELEMENT_CAN_INVERT 0
#define ELEMENT_DAMPING DAMPED_NOT
#include "device/cpu/terms/element_kernels.h"

#define ELEMENT joint
#define ELEMENT_LOCAL JointLocal
#define ELEMENT_CORNERS 12
#define ELEMENT_COLUMNS 3
#define ELEMENT_CAN_INVERT 0
#define ELEMENT_DAMPING DAMPED_NOT
#include "device/cpu/terms/element_kernels.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)

extern const FrontKernels JOIN(front_kernels_, KERNEL_ISA);
extern const Kernels JOIN(kernels_, KERNEL_ISA);
const Kernels JOIN(kernels_, KERNEL_ISA) = {
    .name = TEXT(KERNEL_ISA),
    .elements = {[ELEMENT_TET] = &tet_kernels,
                 [ELEMENT_SEGMENT] = &segment_kernels,
                 [ELEMENT_BEND] = &bend_kernels,
                 [ELEMENT_AFFINE] = &affine_kernels,
                 [ELEMENT_PRESSURE] = &pressure_kernels,
                 [ELEMENT_MEMBRANE] = &membrane_kernels,
                 [ELEMENT_HINGE] = &hinge_kernels,
                 [ELEMENT_QUADRATIC_HINGE] = &quadratic_hinge_kernels,
                 [ELEMENT_PLATE] = &plate_kernels,
                 [ELEMENT_LINK] = &link_kernels,
                 [ELEMENT_JOINT] = &joint_kernels},
    .fronts = &JOIN(front_kernels_, KERNEL_ISA),
    .parallel_hessians = parallel_hessians,
    .tell_pairs = moving_pairs_tell,
    .try_pairs = pair_trials_tell,
    .multiply = block_multiply,
    .multiply_rounded = block_multiply_rounded,
    .add = vector_add,
    .turn = vector_turn,
    .solve_blocks = block_solve,
    .invert_group = group_invert,
    .deviate_group = group_deviate,
    .solve_groups = groups_solve,
    .coarse_assemble = coarse_assemble,
    .coarse_factor_part = coarse_factor_part,
    .coarse_take_part = coarse_take_part,
    .coarse_restrict = coarse_restrict,
    .coarse_restrict_deviations = coarse_restrict_deviations,
    .coarse_forward = coarse_forward,
    .coarse_backward = coarse_backward,
    .coarse_turn = coarse_turn,
    .factor_rows = cholesky_rows,
    .forward = triangular_forward,
    .top = triangular_top,
    .backward = triangular_backward,
};
