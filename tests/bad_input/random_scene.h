/// Scenes out of extreme but allowed parts, from a pseudo-random sequence that a number fixes. Some keys are left out, some
/// values are refused; most scenes can be run.
#ifndef TESTS_RANDOM_SCENE_H
#define TESTS_RANDOM_SCENE_H

#include "mesh_mutations.h"

#include "base/context.h"

static inline void PRINTF_LIKE(2, 3) scene_add(Bytes *text, const char *format, ...)
{
    char piece[512];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    if (length < 0 || length >= (int)sizeof piece)
        abort();
    bytes_append(text, piece, (size_t)length);
}

/// One of the words, each as likely.
#define PICK(state, ...)                                                                                     \
    ((const char *const[]){__VA_ARGS__})[random_below((state), sizeof((const char *const[]){__VA_ARGS__}) /  \
                                                                   sizeof(const char *))]

static inline bool one_in(uint64_t *state, size_t n)
{
    return random_below(state, n) == 0;
}

/// `usual` three times out of four, else something extreme above 0.
static inline const char *positive(uint64_t *state, const char *usual)
{
    if (!one_in(state, 4))
        return usual;
    return PICK(state, "1e-30", "1e-12", "1e-6", "1e-3", "1", "1e3", "1e6", "1e9", "1e12", "1e20", "1e30",
                "0.3", "\"1/3\"");
}

/// As positive, but mostly what shapes allow, and within a factor of 10 of `usual` where it counts cells.
static inline const char *a_length(uint64_t *state, const char *usual)
{
    return one_in(state, 20) ? positive(state, usual)
                             : PICK(state, usual, usual, usual, "0.3", "1e-2", "1e-6", "1e5");
}

static inline const char *coordinate(uint64_t *state)
{
    if (!one_in(state, 8))
        return PICK(state, "0", "0", "1", "-1", "0.5", "0.25", "-0.1", "0.1");
    return PICK(state, "1e-30", "-1e-9", "1e6", "-1e12", "1e30", "1e-300", "100");
}

static inline void add_vector(Bytes *text, uint64_t *state)
{
    scene_add(text, "[%s,%s,%s]", coordinate(state), coordinate(state), coordinate(state));
}

static inline void add_motion(Bytes *text, uint64_t *state)
{
    if (one_in(state, 3)) {
        scene_add(text, "{\"spin\":{\"axis\":[0,1,%s],\"about\":", coordinate(state));
        add_vector(text, state);
        scene_add(text, ",\"speed\":%s}}", coordinate(state));
        return;
    }
    scene_add(text, "[{\"time\":0},{\"time\":%s,\"translate\":", PICK(state, "1e-9", "0.01", "1", "1e20"));
    add_vector(text, state);
    if (one_in(state, 3))
        scene_add(text, ",\"rotate\":{\"axis\":[1,0,%s],\"degrees\":%s}", coordinate(state),
                  PICK(state, "1", "-90", "360", "1e9"));
    scene_add(text, "}]");
}

// Damping mostly where the solver takes it.
static inline void add_material(Bytes *text, uint64_t *state, const char *name, bool newton)
{
    const bool volumetric = one_in(state, 2);
    scene_add(text, "\"%s\":{\"model\":\"%s\",\"density\":%s,", name,
              volumetric
                  ? PICK(state, "neo_hookean", "corotated", "fixed_corotated", "stable_neo_hookean", "stvk")
                  : PICK(state, "arap", "symmetric_dirichlet", "symmetric_gradient"),
              positive(state, "1000"));
    if (one_in(state, 4))
        scene_add(text, "\"friction\":%s,", PICK(state, "0", "0.3", "1e30"));
    if (one_in(state, 4))
        scene_add(text, "\"prevent_inversion\":%s,", PICK(state, "true", "false"));
    uint64_t own = *state; // all else stays as it is without
    if (one_in(&own, newton ? 10 : 100))
        scene_add(
            text, "\"damping\":[%s],",
            PICK(
                &own, "", "{\"type\":\"rayleigh\",\"time\":0.01,\"mass\":1e9}",
                "{\"type\":\"strain_rate\",\"shear\":1e3,\"bulk\":1e30}",
                "{\"type\":\"principal_strain\",\"time\":1e-3,\"correction\":\"velocity_gradient\"}",
                "{\"type\":\"power_law\",\"coefficient\":1e3,\"exponent\":0,\"correction\":\"rigid_velocity\"}",
                "{\"type\":\"power_law\",\"coefficient\":1e9,\"exponent\":9,\"form\":\"implicit\"}",
                "{\"type\":\"spline\",\"time\":0.1,\"points\":[[0,0],[1,1e3],[2,0]]}"));
    if (one_in(state, 3))
        scene_add(text, "\"kappa\":%s}", positive(state, "1e4"));
    else
        scene_add(text, "\"youngs_modulus\":%s,\"poissons_ratio\":%s}", positive(state, "1e5"),
                  volumetric || one_in(state, 8)
                      ? PICK(state, "0.3", "0", "0.45", "0.499", "0.499999", "-0.9")
                      : PICK(state, "0.2", "0.3", "0", "-0.5"));
}

static inline void add_geometry(Bytes *text, uint64_t *state, const char *mesh)
{
    switch (mesh && one_in(state, 2) ? 9 : random_below(state, 5)) {
    case 9:
        scene_add(text, "{\"mesh\":\"%s\"}", mesh);
        break;
    case 0:
        scene_add(text, "{\"ball\":{\"radius\":%s,\"resolution\":%s}}", a_length(state, "0.5"),
                  PICK(state, "2", "3", "4"));
        break;
    case 1:
        scene_add(text, "{\"cylinder\":{\"radius\":%s,\"length\":%s,\"resolution\":%s}}",
                  PICK(state, "0.2", "0.2", "1e-6"), PICK(state, "1", "1e-6"), PICK(state, "2", "3"));
        break;
    case 2:
        scene_add(text, "{\"torus\":{\"radius\":%s,\"tube\":%s,\"resolution\":%s}}",
                  PICK(state, "0.5", "0.5", "1e5"), PICK(state, "0.2", "0.45", "1e-3"),
                  PICK(state, "2", "3"));
        break;
    default:
        scene_add(text, "{\"box\":{\"size\":[%s,%s,%s],\"cells\":[%s,%s,1]}}", a_length(state, "1"),
                  a_length(state, "0.5"), a_length(state, "0.5"), PICK(state, "1", "2", "3", "200"),
                  PICK(state, "1", "2", "3"));
    }
}

static inline void add_pins(Bytes *text, uint64_t *state)
{
    scene_add(text, ",\"pins\":[");
    for (size_t i = 0, count = 1 + random_below(state, 2); i < count; ++i) {
        scene_add(text, "%s{\"select\":%s", i ? "," : "",
                  PICK(state, "\"all\"", "{\"nodes\":[0]}", "{\"nodes\":[0,1,2]}", "{\"nearest\":[0,9,0]}",
                       "{\"box\":[[-1e9,-1e9,-1e9],[0,1e9,1e9]]}", "{\"box\":[[-2,-2,-2],[2,0.1,2]]}",
                       "{\"sphere\":{\"center\":[0,0,0],\"radius\":0.6}}", "{\"group\":\"left\"}"));
        if (one_in(state, 2)) {
            scene_add(text, ",\"motion\":");
            add_motion(text, state);
        }
        scene_add(text, "}");
    }
    scene_add(text, "]");
}

/// `apart`: m from the body before along x, most of the time; 0: wherever.
static inline void add_body(Bytes *text, uint64_t *state, const char *mesh, size_t number, double apart)
{
    scene_add(text, "{\"material\":\"%s\",\"geometry\":", PICK(state, "a", "b"));
    add_geometry(text, state, mesh);
    if (one_in(state, 3))
        scene_add(text, ",\"scale\":%s", positive(state, "2"));
    if (one_in(state, 3))
        scene_add(text, ",\"rotate\":{\"axis\":[%s,1,0],\"degrees\":%s}", coordinate(state),
                  PICK(state, "30", "180", "-720", "1e30"));
    static const char *const vectors[] = {"translate", "velocity", "angular_velocity"};
    const bool placed = apart > 0 && !one_in(state, 8);
    if (placed)
        scene_add(text, ",\"translate\":[%g,0,0]", apart * (double)number);
    for (int i = placed; i < 3; ++i)
        if (one_in(state, 3)) {
            scene_add(text, ",\"%s\":", vectors[i]);
            add_vector(text, state);
        }
    if (one_in(state, 5)) {
        scene_add(text, ",\"velocity_gradient\":[[0,%s,0],[1,0,0],", coordinate(state));
        add_vector(text, state);
        scene_add(text, "]");
    }
    if (one_in(state, 4)) {
        scene_add(text, ",\"array\":{\"count\":[%s,1,%s],\"spacing\":[%s,1,%s]}",
                  PICK(state, "1", "2", "3", "2", "60"), PICK(state, "1", "2"), positive(state, "2"),
                  positive(state, "2"));
    }
    if (one_in(state, 3))
        add_pins(text, state);
    scene_add(text, "}");
}

/// `no_mesh`: nothing that penalty contact refuses, most of the time.
static inline void add_obstacle(Bytes *text, uint64_t *state, const char *surface, bool no_mesh)
{
    const bool plane = one_in(state, 2);
    if (plane) {
        scene_add(text, "{\"plane\":{\"point\":");
        add_vector(text, state);
        scene_add(text, ",\"normal\":");
        if (one_in(state, 2))
            scene_add(text, "[0,1,0]");
        else
            add_vector(text, state);
        scene_add(text, "}");
    } else if (surface && one_in(state, no_mesh ? 20 : 2)) {
        scene_add(text, "{\"mesh\":\"%s\"", surface);
        if (one_in(state, 2))
            scene_add(text, ",\"scale\":%s,\"rotate\":{\"axis\":[0,1,%s],\"degrees\":%s}",
                      positive(state, "2"), coordinate(state), PICK(state, "30", "-720", "1e30"));
        scene_add(text, ",\"translate\":");
        add_vector(text, state);
    } else {
        scene_add(text, "{\"sphere\":{\"radius\":%s,\"center\":", positive(state, "0.5"));
        add_vector(text, state);
        scene_add(text, "}");
    }
    if (one_in(state, 4))
        scene_add(text, ",\"friction\":%s", PICK(state, "0", "0.5", "1e30"));
    if (one_in(state, 3)) {
        scene_add(text, ",\"motion\":");
        add_motion(text, state);
    }
    scene_add(text, "}");
}

static inline void add_obstacles(Bytes *text, uint64_t *state, const char *surface, bool no_mesh)
{
    scene_add(text, ",\"obstacles\":[");
    for (size_t i = 0, count = one_in(state, 8) ? 40 : random_below(state, 4); i < count; ++i) {
        scene_add(text, "%s", i ? "," : "");
        add_obstacle(text, state, surface, no_mesh);
    }
    scene_add(text, "]");
}

static inline void add_friction(Bytes *text, uint64_t *state, bool is_barrier)
{
    if (one_in(state, 2))
        scene_add(text, ",\"friction\":%s", PICK(state, "0.3", "0", "1e30"));
    if (one_in(state, 2))
        scene_add(text, ",\"friction_speed\":%s,\"friction_iterations\":%s", positive(state, "1e-3"),
                  PICK(state, "1", "2", "100"));
    if (one_in(state, 3))
        scene_add(text, ",\"pairs\":[{\"between\":[\"a\",\"%s\"],\"friction\":%s%s}]",
                  PICK(state, "a", "b", "body0"), positive(state, "0.5"),
                  is_barrier && one_in(state, 2) ? ",\"contact\":false" : "");
}

static inline void add_barrier(Bytes *text, uint64_t *state)
{
    scene_add(text, ",\"contact\":{\"model\":\"barrier\",\"distance\":%s", positive(state, "1e-2"));
    if (one_in(state, 3))
        scene_add(text, ",\"stiffness\":%s", positive(state, "1e4"));
    if (one_in(state, 3))
        scene_add(text, ",\"self\":%s", PICK(state, "true", "false"));
    if (one_in(state, 4))
        scene_add(text, ",\"friction_model\":\"%s\"", PICK(state, "lagged", "semi_implicit"));
    add_friction(text, state, true);
    scene_add(text, "}");
}

static inline void add_penalty(Bytes *text, uint64_t *state)
{
    scene_add(text, ",\"contact\":{\"model\":\"penalty\",\"stiffness\":%s", positive(state, "1e4"));
    add_friction(text, state, false);
    scene_add(text, "}");
}

static inline void add_newton(Bytes *text, uint64_t *state)
{
    scene_add(text,
              ",\"solver\":{\"type\":\"newton\",\"tolerance\":%s,\"max_iterations\":%s,\"strict\":%s,"
              "\"linear\":{\"tolerance\":%s,\"max_iterations\":%s}}",
              PICK(state, "1e-2", "1e-12", "1e-30", "1e30"), PICK(state, "1", "7", "100"),
              PICK(state, "true", "false", "false"), PICK(state, "1e-4", "1e-12", "1e-30", "1", "1e30"),
              PICK(state, "1", "7", "2000"));
}

static inline void add_integrator(Bytes *text, uint64_t *state)
{
    if (one_in(state, 3)) {
        scene_add(
            text,
            ",\"integrator\":{\"type\":\"a_search\",\"alpha_min\":%s,\"alpha_max\":%s,"
            "\"initial_energy\":%s,\"ground_energy\":%s,\"decay_time\":%s,\"variant\":\"%s\"}",
            PICK(state, "0", "-1e30", "0.9"), PICK(state, "1.1", "1", "1e30"),
            PICK(state, "1", "0", "0.95", "1e30"), PICK(state, "0", "-3", "1e30"),
            PICK(state, "1", "1e-30", "1e30", "[{\"time\":0,\"value\":null},{\"time\":0.01,\"value\":1}]"),
            PICK(state, "plain", "sparse"));
        return;
    }
    scene_add(text, ",\"integrator\":{\"type\":\"%s\"}",
              PICK(state, "rk4", "variational\",\"alpha\":\"0/1", "variational\",\"alpha\":\"1/2",
                   "variational\",\"alpha\":\"2/3", "variational\",\"alpha\":\"1/1", "implicit_euler", "bdf2",
                   "trapezoidal", "implicit_midpoint", "tr_bdf2", "sdirk2", "a1", "blending"));
}

static inline void add_admm(Bytes *text, uint64_t *state)
{
    scene_add(
        text, ",\"solver\":{\"tolerance\":%s,\"max_iterations\":%s,\"depth\":%s,\"acceleration\":\"%s\"",
        PICK(state, "1e-5", "1e-12", "1e-30", "1", "1e30"), PICK(state, "1", "7", "60", "100", "1000000"),
        PICK(state, "1", "5", "8"), PICK(state, "anderson", "none"));
    if (one_in(state, 3))
        scene_add(text, ",\"penalty\":%s", positive(state, "2"));
    scene_add(text, ",\"adapt_penalty\":%s,\"strict\":%s}", PICK(state, "true", "false"),
              PICK(state, "true", "false", "false"));
}

/// `bodies`: how many there are.
static inline void add_end(Bytes *text, uint64_t *state, size_t bodies)
{
    char body[16];
    snprintf(body, sizeof body, "body%d", one_in(state, 20) ? 9 : (int)random_below(state, bodies));
    switch (random_below(state, 4)) {
    case 0:
        scene_add(text, "{\"point\":");
        add_vector(text, state);
        if (one_in(state, 3)) {
            scene_add(text, ",\"motion\":");
            add_motion(text, state);
        }
        break;
    case 1:
        scene_add(text, "{\"body\":\"%s\",\"nearest\":", body);
        add_vector(text, state);
        break;
    default:
        scene_add(text, "{\"body\":\"%s\",\"node\":%s", body,
                  PICK(state, "0", "1", "2", "3", "3", "2", "1", "100000"));
    }
    scene_add(text, "}");
}

/// One to three of them, mostly with a compliance above 0 where the solver asks for one.
static inline void add_constraints(Bytes *text, uint64_t *state, size_t bodies, bool newton)
{
    static const char *const types[] = {"distance", "attach", "ball", "hinge", "angle"};
    scene_add(text, ",\"constraints\":[");
    for (size_t i = 0, count = 1 + random_below(state, 3); i < count; ++i) {
        const size_t type = random_below(state, 5);
        scene_add(text, "%s{\"type\":\"%s\",\"between\":[", i ? "," : "", types[type]);
        if (type == 2 || type == 3)
            scene_add(text, "\"body0\",\"%s\"],\"at\":", bodies > 1 && one_in(state, 2) ? "body1" : "world");
        else
            for (int end = 0; end < (type == 4 ? 3 : 2); ++end) {
                scene_add(text, "%s", end ? "," : "");
                add_end(text, state, bodies);
            }
        if (type == 2 || type == 3)
            add_vector(text, state);
        else
            scene_add(text, "]");
        if (type == 3)
            scene_add(text, ",\"axis\":[%s,0,1]", coordinate(state));
        if (type == 3 && one_in(state, 2))
            scene_add(text, ",\"limits_degrees\":[%s,%s]", PICK(state, "-90", "-179", "0", "30"),
                      PICK(state, "45", "0.001", "180"));
        if (type == 0 && one_in(state, 2))
            scene_add(text, ",\"length\":%s", positive(state, "1"));
        if (type == 4 && one_in(state, 2))
            scene_add(text, ",\"angle_degrees\":%s", PICK(state, "90", "1e-9", "179.999"));
        if (type % 4 == 0 && one_in(state, 2))
            scene_add(text, ",\"side\":\"%s\"", PICK(state, "both", "at_most", "at_least"));
        if (newton || one_in(state, 2))
            scene_add(text, ",\"compliance\":%s", positive(state, "1e-4"));
        scene_add(text, "}");
    }
    scene_add(text, "]");
}

static inline void add_compliant(Bytes *text, uint64_t *state)
{
    scene_add(
        text,
        ",\"integrator\":{\"type\":\"implicit_euler\"},\"solver\":{\"type\":\"compliant\",\"iterations\":%s,"
        "\"geometric_stiffness\":%s,\"strict\":%s,\"linear\":{\"type\":\"%s\",\"tolerance\":%s,"
        "\"max_iterations\":%s}}",
        PICK(state, "1", "3", "7"), PICK(state, "true", "false", "\"exact\""),
        PICK(state, "true", "false", "false"), PICK(state, "direct", "minres"),
        PICK(state, "1e-8", "1e-30", "1e30"), PICK(state, "1", "7", "2000"));
}

/// The text of a scene; `mesh`: a mesh file that half of the bodies use, or NULL; `surface`: one that obstacles use, or
/// NULL; `always_barrier`: with barrier contact whatever falls. free() data.
static inline Bytes random_scene(uint64_t *state, const char *mesh, const char *surface, bool always_barrier)
{
    Bytes text = {0};
    const char *step =
        one_in(state, 3) ? PICK(state, "1e-30", "1e-12", "1e-6", "0.1", "1", "1e6", "1e15") : "0.01";
    scene_add(&text, "{\"version\":1,\"time\":{\"step\":%s,\"duration\":%s}", step, step);
    if (one_in(state, 2)) {
        scene_add(&text, ",\"gravity\":");
        add_vector(&text, state);
    }
    uint64_t own = *state + 1; // all else stays as it is without
    const bool compliant = !always_barrier && one_in(&own, 8), constrained = compliant || one_in(&own, 8);
    const bool integrated = one_in(state, 2);
    if (integrated && !compliant)
        add_integrator(&text, state);
    const bool newton = one_in(state, 2) || (always_barrier && !one_in(state, 8));
    if (compliant)
        add_compliant(&text, &own);
    else if (newton)
        add_newton(&text, state);
    else if (one_in(state, 2))
        add_admm(&text, state);
    scene_add(&text, ",\"materials\":{");
    add_material(&text, state, "a", newton);
    scene_add(&text, ",");
    add_material(&text, state, "b", newton);
    scene_add(&text, "},\"bodies\":[");
    const size_t bodies = 1 + random_below(state, 3);
    for (size_t i = 0; i < bodies; ++i) {
        if (i)
            scene_add(&text, ",");
        add_body(&text, state, mesh, i, always_barrier ? 1.3 : 0);
    }
    scene_add(&text, "]");
    if (constrained && (compliant || one_in(&own, 10))) // other solvers refuse them
        add_constraints(&text, &own, bodies, !compliant);
    const bool barrier = (newton && !compliant ? !one_in(state, 4) : one_in(state, 20)) || always_barrier,
               contact = one_in(state, 2) || always_barrier;
    if (contact && barrier)
        add_barrier(&text, state);
    else if (contact)
        add_penalty(&text, state);
    if (always_barrier && !one_in(state, 4))
        scene_add(&text, ",\"obstacles\":[{\"plane\":{\"point\":[0,-1.2,0],\"normal\":[0,1,0]}}]");
    else if (one_in(state, 2))
        add_obstacles(&text, state, surface, contact && !barrier);
    scene_add(&text, "}");
    return text;
}

#endif
