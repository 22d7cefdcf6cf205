// Subgroups: invocations that read one another's registers. Kernels use them where SUBGROUP_SIZE is more than 1; then the workgroup
// is whole subgroups of that size (src/gpu/subgroups.h). Nothing is assumed of which invocations are in which subgroup: what a
// lane works on it finds in shared memory by its number. Include before declarations.
#ifndef COMMON_SUBGROUP_GLSL
#define COMMON_SUBGROUP_GLSL

#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require

layout(constant_id = SPEC_SUBGROUP_SIZE) const uint SUBGROUP_SIZE = 1u;

#endif
