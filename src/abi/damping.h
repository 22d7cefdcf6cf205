/* Damping of materials on the device. Read by the C compiler and by the shader compiler: preprocessor only. */
#ifndef ABI_DAMPING_H
#define ABI_DAMPING_H

#include "abi/element_kind.h"

/* What damps, and corrections; physics/dissipation/damping.h numbers them, device/vulkan/terms/damping.c asserts that these agree. */
#define ABI_DAMPING_STRAIN_RATE 0
#define ABI_DAMPING_RAYLEIGH 1
#define ABI_DAMPING_PRINCIPAL_STRAIN 2
#define ABI_DAMPING_POWER_LAW 3
#define ABI_DAMPING_SPLINE 4
#define ABI_DAMPING_VARIATIONAL 5
#define ABI_DAMPING_TYPES 7
#define ABI_CORRECTION_NONE 0
#define ABI_CORRECTION_VELOCITY_GRADIENT 1
#define ABI_CORRECTION_RIGID_VELOCITY 2
#define ABI_FORM_LAGGED 0
#define ABI_FORM_SECOND_ORDER 2
/* Sides: entries without and with the last one. */
#define ABI_DAMPED_AS_IS 0
#define ABI_DAMPED_LESS_RIGID 1

/* Kinds of element, bits: with all of it, and with Rayleigh's part alone. */
#define DAMPED_KINDS (1 << ELEMENT_TET | 1 << ELEMENT_SEGMENT | 1 << ELEMENT_MEMBRANE)
#define DAMPED_BY_HESSIAN_KINDS                                                                              \
    (1 << ELEMENT_BEND | 1 << ELEMENT_HINGE | 1 << ELEMENT_QUADRATIC_HINGE | 1 << ELEMENT_PLATE)

/* Lists: for each element the place of what damps its material, or DAMPING_NONE. There is the number of entries, then of each
 * entry DAMPING_WORDS. */
#define DAMPING_NONE 0xffffffffu
#define DAMPING_TYPE 0
#define DAMPING_CORRECTION 1
#define DAMPING_NUMBERS 2     /* place of its numbers */
#define DAMPING_POINT_COUNT 3 /* of its spline */
#define DAMPING_FORM 4
#define DAMPING_WORDS 5

/* Numbers: the volume of each element, then of each entry these, and 3 for each point of its spline: x, value, slope. */
#define DAMPING_SHEAR 0       /* Pa s */
#define DAMPING_BULK 1        /* Pa s */
#define DAMPING_TIME 2        /* s */
#define DAMPING_COEFFICIENT 3 /* of the power law, Pa s^p */
#define DAMPING_EXPONENT 4
#define DAMPING_SPLINE_POINTS 5

/* The argument of its kernels of elements: bits of the types from this bit on; where they ask for it, the side. */
#define DAMPING_TYPES_SHIFT 8
#define DAMPING_SIDE_SHIFT 24
/* The same of those that find forces: slots the nodes come from and go to, DAMPING_NO_SLOT where what they go to is a velocity; the
 * section of the powers, or of trials the halvings, or of what changes with the shape the slot of the velocities where the step began. */
#define DAMPING_FROM_SHIFT 8
#define DAMPING_SECTION_SHIFT 16
#define DAMPING_NO_SLOT 0xff

/* Numbers of a record of power laws (common/elements/power_law.glsl): a form, its axes, the stretches. Behind them each law has 1, and 3 for
 * each corner but the first. */
#define TET_LAW 36
#define SEGMENT_LAW 7
#define MEMBRANE_LAW 23

/* Chunks of nodes, of one part that moves as a rigid one or of none (common/rigid_motion.glsl): words of each. */
#define RIGID_FIRST_NODE 0
#define RIGID_NODE_COUNT 1
#define RIGID_FIRST_CHUNK 2 /* of the part; its first node is what places and ways are measured from */
#define RIGID_CHUNK_COUNT 3 /* of the part; 0: of none */
#define RIGID_WORDS 4
/* Sums of each, exact numbers: of masses, first and second moments (00 11 22 01 02 12), values and their moments. */
#define RIGID_MASS 0
#define RIGID_FIRST_MOMENT 1
#define RIGID_SECOND_MOMENT 4
#define RIGID_VALUE 10
#define RIGID_VALUE_MOMENT 13
#define RIGID_SUMS 16
/* What the values are: ways of nodes, as of the kernels above, or those along the direction, both times the masses; forces. */
#define RIGID_OF_WAYS 0
#define RIGID_OF_INCREMENT 1
#define RIGID_OF_FORCES 2
/* Whose forces. */
#define RIGID_NODES_ALONE 0
#define RIGID_NODES_AND_CORNERS 1
#define RIGID_CORNERS_ALONE 2
/* ADMM's copies of D x for damping (device/vulkan/admm/damping_copies.c). An element has slots for them: of each side the first of all quadratic
 * models if the kind has any, then one for each power law of its material; behind both sides the variational one's. Weights, J, of each slot, 0
 * where an element has no such copy. Sections of as many numbers as the D x of all slots have; LOCAL_* of abi/elements.h, all less D xp, and behind those this. */
#define COPY_BASE 5 /* D xp, xp the stage's base positions */
#define COPY_SECTIONS 6
/* A kind's slots in a word: bits of each side, the lowest whether there is one of quadratic models, the others how many of laws. */
#define COPY_SIDE_BITS 6

/* Numbers of the shape that an element's copies look at, number k of element e of n at k n + e (common/elements/damping_prox.glsl): a form, U
 * and V of D x = U diag(s) V^T, and of three columns s; of bends 8 numbers of their Hessian and its axes, of other kinds with Rayleigh's part alone the one number
 * of theirs. */
#define TET_COPY_SHAPE 36
#define SEGMENT_COPY_SHAPE 5
#define MEMBRANE_COPY_SHAPE 21
#define BEND_COPY_SHAPE 23
#define QUADRATIC_COPY_SHAPE 1

/* Records of those numbers that an element has: what each side looks at; of the variational model, in the place of the form, the stretches
 * where the step starts and the material's time. */
#define COPY_RECORD_OF_VARIATIONAL 2
/* The argument of compute/admm_damping_dual: minus the forces of the variational model's multipliers alone. */
#define COPY_IMPULSE 0x100u /* no slot is in these bits */

/* Slots of the device's own (OwnSlot), counted from the first: ways less rigid motions, of the base positions, of the stage's iterate, and of
 * where the step starts. Of all that see those an argument has the first's number from this bit on. */
#define COPY_OWN_SHIFT 24
#define OWN_START_WAY 1
#define OWN_WAY 3
#define OWN_BASE_WAY 4

/* The argument of compute/admm_damping_begin: the slot of the base positions, then the slot of the copies, then whether there is no last
 * stage. */
#define COPY_SLOT_SHIFT 8
#define COPY_COLD_SHIFT 16

#endif
