/* What all compute kernels share. Read by the C compiler and by the shader compiler: preprocessor only. */
#ifndef ABI_KERNEL_H
#define ABI_KERNEL_H

/* Specialization constants: 0 is the workgroup size, 1 that of the subgroups it is made of, 1 where they are not used; a kernel's
 * own begin at 2. */
#define SPEC_WORKGROUP_SIZE 0
#define SPEC_SUBGROUP_SIZE 1
#define SPEC_FIRST_OWN 2

/* Workgroups: element kernels, node kernels, conjugate gradients, the one group that decides. */
#define GROUP_ELEMENTS 64
#define GROUP_NODES 64
#define GROUP_CG 128
#define GROUP_CONTROL 256

/* compute/self_test: numbers per case in and out. */
#define SELF_TEST_INPUTS 2
#define SELF_TEST_OUTPUTS 8

#endif
