/* Uniforms and binding numbers of the drawing passes. Read by the C compiler and by the shader compiler. */
#ifndef ABI_RENDER_LAYOUT_H
#define ABI_RENDER_LAYOUT_H

#ifdef __STDC__
#define RENDER_VEC4(name) float name[4]
#define RENDER_MAT4(name) float name[16]
#else
#define RENDER_VEC4(name) vec4 name
#define RENDER_MAT4(name) mat4 name
#endif

#define RENDER_BINDING_SCENE 0    /* uniform RenderScene */
#define RENDER_BINDING_BODIES 1   /* storage: one vec4 a body, albedo and roughness */
#define RENDER_BINDING_MAP 2      /* uniform: RENDER_MAP_SIZE vec4, albedos */
#define RENDER_BINDING_SHADOW 3   /* shadow map with comparison */
#define RENDER_BINDING_OCCLUDER 4 /* blurred: depth * share, share of occluded texels */
#define RENDER_BINDING_CONTACT 5  /* blurred: nearness of what is above the floor */
#define RENDER_MAP_SIZE 256
#define RENDER_NO_VALUE -1e30f /* of a vertex: what is shown has none there, its own colour stays */

#define RENDER_FILTER_INPUT 0  /* of the filter kernels: sampled image */
#define RENDER_FILTER_OUTPUT 1 /* storage image, rgba16f */
#define RENDER_FILTER_SIZE 128 /* edge length of the blurred images, texels */

/* Positions are relative to the renderer's centre. "Rows" give a coordinate as dot(row.xyz, position) + row.w. */
struct RenderScene {
    RENDER_MAT4(view_projection);
    RENDER_VEC4(eye);
    RENDER_VEC4(screen); /* 1/width, 1/height, number of bodies whose value is mapped, unused */
    RENDER_VEC4(background_top);
    RENDER_VEC4(background_bottom);
    RENDER_VEC4(light);    /* xyz: unit, towards the light; w: tangent of its angular radius */
    RENDER_VEC4(key);      /* rgb: irradiance of a surface facing the light */
    RENDER_VEC4(sky);      /* rgb: irradiance of a surface facing up */
    RENDER_VEC4(bounce);   /* rgb: irradiance of a surface facing down */
    RENDER_VEC4(shadow_x); /* rows to the shadow map: x and y in [0,1], depth in [0,1] */
    RENDER_VEC4(shadow_y);
    RENDER_VEC4(shadow_z);
    RENDER_VEC4(
        shadow_size); /* width of the map, m; range of depth, m; smallest and largest radius, share of width */
    RENDER_VEC4(shadow_bias); /* m: along the receiver's normal on bodies; towards the light; unused */
    RENDER_VEC4(floor_plane); /* row: height over the floor */
    RENDER_VEC4(floor_x);     /* rows to the contact image */
    RENDER_VEC4(floor_y);
    RENDER_VEC4(
        floor_size); /* height at which the floor no longer feels a body, m; 1 if there is a floor, else 0 */
    RENDER_VEC4(value_range); /* minimum, 1 / (maximum - minimum) */
};

/* Push constants of a plane: a square about `center` that fades at its rim. */
struct RenderPlaneConstants {
    RENDER_VEC4(center); /* w: radius at which the fade begins, share of the square's half width */
    RENDER_VEC4(axis_u); /* half edges, m */
    RENDER_VEC4(axis_v);
    RENDER_VEC4(normal); /* w: 1 for the plane with the contact image */
    RENDER_VEC4(color);  /* albedo; w: roughness */
};

#endif
