// solver
#include "scene/sections.h"

#include <string.h>

enum { MOST_ITERATIONS = 100000000, MOST_LAG_ITERATIONS = 1000, MOST_SOLVES = 1000 };

// ---------------------------------------------------------------- what suits the scene

static bool is_word(const cJSON *object, const char *key, const char *word)
{
    const cJSON *value = cJSON_IsObject(object) ? cJSON_GetObjectItemCaseSensitive(object, key) : NULL;
    return cJSON_IsString(value) && strcmp(value->valuestring, word) == 0;
}

static bool has_colliding_skin(const cJSON *body)
{
    const cJSON *skin = cJSON_IsObject(body) ? cJSON_GetObjectItemCaseSensitive(body, "skin") : NULL;
    return cJSON_IsObject(skin) && cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(skin, "contact"));
}

static bool has_affine_body(const Place *root)
{
    const Place bodies = place_member(root, "bodies");
    for (const cJSON *body = cJSON_IsArray(bodies.value) ? bodies.value->child : NULL; body;
         body = body->next)
        if (is_word(body, "type", "affine"))
            return true;
    return false;
}

// Barrier contact, an affine body, a skin in contact, a shell of discrete_shells, a body in constraint form.
static bool wants_newton(const Place *root)
{
    const Place contact = place_member(root, "contact"), bodies = place_member(root, "bodies");
    if (is_word(contact.value, "model", "barrier") || has_affine_body(root))
        return true;
    for (const cJSON *body = cJSON_IsArray(bodies.value) ? bodies.value->child : NULL; body;
         body = body->next) {
        if ((contact.value && has_colliding_skin(body)) || is_word(body, "formulation", "constraint"))
            return true;
        const cJSON *bending =
            cJSON_IsObject(body) ? cJSON_GetObjectItemCaseSensitive(body, "bending") : NULL;
        if (is_word(body, "type", "shell") &&
            (!cJSON_IsString(bending) || is_word(body, "bending", "discrete_shells")))
            return true;
    }
    return false;
}

static bool is_hard(const cJSON *constraint)
{
    const cJSON *given =
        cJSON_IsObject(constraint) ? cJSON_GetObjectItemCaseSensitive(constraint, "compliance") : NULL;
    double compliance;
    return !given || (number_found(given, &compliance) && compliance == 0);
}

SolverType default_solver(const Place *root)
{
    const Place constraints = place_member(root, "constraints");
    const cJSON *first = cJSON_IsArray(constraints.value) ? constraints.value->child : NULL;
    for (const cJSON *constraint = first; constraint; constraint = constraint->next)
        if (is_hard(constraint))
            return SOLVER_COMPLIANT;
    return first || wants_newton(root) ? SOLVER_NEWTON : SOLVER_ADMM;
}

SolverType chosen_solver(const Place *root)
{
    const Place solver = place_member(root, "solver");
    for (int type = 0; WORDS_SOLVER.known[type]; ++type)
        if (is_word(solver.value, "type", WORDS_SOLVER.known[type]))
            return (SolverType)type;
    return default_solver(root);
}

// ---------------------------------------------------------------- reading

static VelaResult check_linear_keys(const Reader *reader, const Place *linear, SolverType type)
{
    enum { NEWTON = 1 << SOLVER_NEWTON, ADMM = 1 << SOLVER_ADMM, COMPLIANT = 1 << SOLVER_COMPLIANT };
    static const struct {
        const char *key;
        unsigned types;
    } keys[] = {
        {"preconditioner", NEWTON | ADMM},
        {"type", COMPLIANT},
        {"tolerance", NEWTON | COMPLIANT},
        {"max_iterations", NEWTON | COMPLIANT},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i)
        TRY(check_key_types(reader, linear, keys[i].key, keys[i].types, "solver", &WORDS_SOLVER, (int)type));
    return VELA_OK;
}

static VelaResult read_linear(const Reader *reader, const Place *solver, SolverDef *out)
{
    const Place linear = place_member(solver, "linear");
    if (!linear.value)
        return VELA_OK;
    int preconditioner = (int)out->preconditioner, solve = CONSTRAINT_SOLVE_DIRECT;
    TRY(check_object(reader, &linear, &KEYS_LINEAR));
    TRY(check_linear_keys(reader, &linear, out->type));
    TRY(read_number(reader, &linear, "tolerance", OPTIONAL, POSITIVE, &out->linear_tolerance));
    TRY(read_integer(reader, &linear, "max_iterations", OPTIONAL, 1, MOST_ITERATIONS,
                     &out->linear_max_iterations));
    TRY(read_word(reader, &linear, "preconditioner", OPTIONAL, &WORDS_PRECONDITIONER, &preconditioner));
    TRY(read_word(reader, &linear, "type", OPTIONAL, &WORDS_LINEAR, &solve));
    out->preconditioner = (Preconditioner)preconditioner;
    out->preconditioner_is_named = place_member(&linear, "preconditioner").value != NULL;
    out->linear_solve = (ConstraintSolve)solve;
    out->linear_solve_is_named = place_member(&linear, "type").value != NULL;
    return VELA_OK;
}

static VelaResult check_keys(const Reader *reader, const Place *solver, SolverType type)
{
    enum { NEWTON = 1 << SOLVER_NEWTON, ADMM = 1 << SOLVER_ADMM, COMPLIANT = 1 << SOLVER_COMPLIANT };
    static const struct {
        const char *key;
        unsigned types;
    } keys[] = {
        {"linear", NEWTON | ADMM | COMPLIANT},
        {"penalty", ADMM},
        {"adapt_penalty", ADMM},
        {"acceleration", ADMM},
        {"depth", ADMM},
        {"tolerance", NEWTON | ADMM},
        {"max_iterations", NEWTON | ADMM},
        {"lag_iterations", NEWTON | ADMM},
        {"geometric_stiffness", COMPLIANT},
        {"iterations", COMPLIANT},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i)
        TRY(check_key_types(reader, solver, keys[i].key, keys[i].types, "type", &WORDS_SOLVER, (int)type));
    return VELA_OK;
}

// One linear system a step stands for implicit Euler's stage and no other.
static VelaResult check_integrator(const Reader *reader, const Place *root, const SceneDef *scene)
{
    const Place integrator = place_member(root, "integrator"), at = place_member(&integrator, "type");
    const Place solver = place_member(root, "solver"), named = place_member(&solver, "type");
    if (scene->solver.type != SOLVER_COMPLIANT || scene->integrator == INTEGRATOR_IMPLICIT_EULER)
        return VELA_OK;
    return place_fail(reader, &at,
                      "found \"%s\" with solver \"compliant\"%s, expected \"implicit_euler\", or \"solver\": "
                      "{\"type\": \"newton\"} with a compliance above 0, such as 1e-6, in every constraint",
                      WORDS_INTEGRATOR.known[scene->integrator],
                      named.value ? "" : " (the default with constraints of compliance 0)");
}

static VelaResult read_compliant(const Reader *reader, const Place *root, const Place *solver, SolverDef *out)
{
    const Place at = place_member(solver, "geometric_stiffness");
    out->iterations = has_affine_body(root) ? 3 : 1;
    TRY(read_integer(reader, solver, "iterations", OPTIONAL, 1, MOST_SOLVES, &out->iterations));
    if (!at.value)
        return VELA_OK;
    if (is_word(solver->value, "geometric_stiffness", "exact"))
        out->geometric_stiffness = GEOMETRIC_STIFFNESS_EXACT;
    else if (cJSON_IsBool(at.value))
        out->geometric_stiffness =
            cJSON_IsTrue(at.value) ? GEOMETRIC_STIFFNESS_CLAMPED : GEOMETRIC_STIFFNESS_NONE;
    else
        return place_expected(reader, &at, "true, false or \"exact\"");
    return VELA_OK;
}

static VelaResult read_keys(const Reader *reader, const Place *root, const Place *solver, SolverDef *out)
{
    int acceleration = 1;
    TRY(read_number(reader, solver, "tolerance", OPTIONAL, POSITIVE, &out->tolerance));
    TRY(read_integer(reader, solver, "max_iterations", OPTIONAL, 1, MOST_ITERATIONS, &out->max_iterations));
    TRY(read_flag(reader, solver, "strict", OPTIONAL, &out->strict));
    TRY(read_linear(reader, solver, out));
    TRY(read_integer(reader, solver, "lag_iterations", OPTIONAL, 1, MOST_LAG_ITERATIONS,
                     &out->lag_iterations));
    TRY(read_number(reader, solver, "penalty", OPTIONAL, POSITIVE, &out->penalty));
    TRY(read_flag(reader, solver, "adapt_penalty", OPTIONAL, &out->adapt_penalty));
    TRY(read_word(reader, solver, "acceleration", OPTIONAL, &WORDS_ACCELERATION, &acceleration));
    TRY(read_integer(reader, solver, "depth", OPTIONAL, 1, 8, &out->depth));
    out->anderson = out->type == SOLVER_ADMM && acceleration == 1;
    return out->type == SOLVER_COMPLIANT ? read_compliant(reader, root, solver, out) : VELA_OK;
}

VelaResult read_solver(const Reader *reader, const Place *root, SceneDef *scene)
{
    static const SolverDef defaults[] = {
        [SOLVER_NEWTON] = {.type = SOLVER_NEWTON,
                           .tolerance = 0.01,
                           .max_iterations = 100,
                           .linear_tolerance = 1e-4,
                           .linear_max_iterations = 2000,
                           .lag_iterations = LAG_ITERATIONS},
        [SOLVER_ADMM] = {.type = SOLVER_ADMM,
                         .tolerance = 1e-5,
                         .max_iterations = 500,
                         .anderson = true,
                         .depth = 5,
                         .lag_iterations = LAG_ITERATIONS},
        [SOLVER_COMPLIANT] = {.type = SOLVER_COMPLIANT,
                              .linear_tolerance = 1e-8,
                              .linear_max_iterations = 2000,
                              .preconditioner = PRECONDITIONER_BLOCK_JACOBI,
                              .lag_iterations = LAG_ITERATIONS,
                              .geometric_stiffness = GEOMETRIC_STIFFNESS_CLAMPED,
                              .linear_solve = CONSTRAINT_SOLVE_DIRECT},
    };
    int type = (int)default_solver(root);
    const Place solver = place_member(root, "solver");
    if (solver.value) {
        TRY(read_word(reader, &solver, "type", OPTIONAL, &WORDS_SOLVER, &type));
        TRY(check_object(reader, &solver, &KEYS_SOLVER));
        TRY(check_keys(reader, &solver, (SolverType)type));
    }
    scene->solver = defaults[type];
    TRY(read_keys(reader, root, &solver, &scene->solver));
    return check_integrator(reader, root, scene);
}
