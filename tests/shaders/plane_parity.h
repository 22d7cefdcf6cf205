/* Layout of the cases of test_vulkan_planes.c and plane_parity.comp, in numbers per case. Preprocessor only. */
#ifndef TESTS_PLANE_PARITY_H
#define TESTS_PLANE_PARITY_H

#define PARITY_STIFFNESS 0
#define PARITY_GAP 1
#define PARITY_RISE 2
#define PARITY_ARM 3 /* from the centre of a sphere */
#define PARITY_WAY 6
#define PARITY_RADIUS 9
#define PARITY_LIMIT 10
#define PARITY_INERTIA 11
#define PARITY_INPUTS 12

#define PARITY_ENERGY 0
#define PARITY_SLOPE 1
#define PARITY_CURVATURE 2
#define PARITY_CHANGE 3
#define PARITY_MAGNITUDE 4
#define PARITY_PROX 5
#define PARITY_SPHERE_GAP 6
#define PARITY_NORMAL 7
#define PARITY_SPHERE_RISE 10
#define PARITY_FRICTION_PROX 11
#define PARITY_WEIGHT 14
#define PARITY_OUTPUTS 15

#endif
