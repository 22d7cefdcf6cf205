// Right scenes: defaults, every key, conversions, and the resolved scene that reads back as the same.
#include "scene_fixture.h"

#include "base/file.h"
#include "base/hash.h"
#include "scene/keys.h"
#include "scene/parse.h"

#include <math.h>
#include <unistd.h>

static const char every_key[] = SOURCE_DIR "/tests/scenes/every_key.json";
static const char every_key_newton[] = SOURCE_DIR "/tests/scenes/every_key_newton.json";

static Reading reading;

static void start(void)
{
    reading_start(&reading);
}

static void stop(void)
{
    reading_end(&reading);
}

static void read_every_key(void)
{
    ASSERT_OK(reading.context,
              scene_read(reading.context, every_key, 0, NULL, &reading.arena, &reading.scene));
}

START_TEST(defaults)
{
    ASSERT_OK(reading.context, reading_parse(&reading, BASIC_SCENE));
    const SceneDef *s = &reading.scene;
    ck_assert_str_eq(s->path, "test.json");
    ck_assert_str_eq(s->name, "test");
    ck_assert_int_eq(s->step_count, 100);
    ck_assert_int_eq(s->frame_every, 1);
    ck_vector(s->gravity, 0, -9.81, 0);
    ck_assert_int_eq(s->integrator, INTEGRATOR_VARIATIONAL);
    ck_assert_double_eq(s->alpha, 0.5);
    ck_assert_int_eq(s->solver.type, SOLVER_ADMM);
    ck_assert_double_eq(s->solver.tolerance, 1e-5);
    ck_assert_int_eq(s->solver.max_iterations, 500);
    ck_assert_double_eq(s->solver.penalty, 0);
    ck_assert(!s->solver.adapt_penalty && s->solver.anderson && !s->solver.strict);
    ck_assert_int_eq(s->solver.depth, 5);
    ck_assert(!s->solver.preconditioner_is_named);
    ck_assert_int_eq(s->contact.model, CONTACT_NONE);
    ck_assert_int_eq(s->obstacle_count, 0);
    ck_assert_int_eq(s->image_size[0], 1280);
    ck_assert_int_eq(s->image_size[1], 720);
    ck_assert(!s->has_camera && s->images);
    ck_assert_int_eq(s->color_by, COLOR_BY_BODY);
    ck_assert_int_eq(s->checkpoint_every, 60);
    ck_assert_double_eq(s->materials[0].friction, 0);
    ck_assert_double_eq(s->materials[0].lambda, 0);
    ck_assert(!s->materials[0].prevent_inversion);
    ck_assert_int_eq(s->materials[0].damping.count, 0);
    const BodyDef *body = &s->bodies[0];
    ck_assert_str_eq(body->name, "body0");
    ck_assert_double_eq(body->scale, 1);
    ck_assert_double_eq(body->rotate_degrees, 0);
    ck_vector(body->translate, 0, 0, 0);
    for (int i = 0; i < 3; ++i)
        ck_assert_int_eq(body->array_count[i], 1);
    ck_assert_int_eq(body->pin_count, 0);
    ck_assert_str_eq(body->geometry.mesh, "");
}
END_TEST

static void check_settings(const SceneDef *s)
{
    ck_assert_str_eq(s->path, every_key);
    ck_assert_str_eq(s->name, "every_key");
    ck_assert_double_eq(s->step, 1.0 / 120);
    ck_assert_int_eq(s->step_count, 60);
    ck_assert_int_eq(s->frame_every, 4);
    ck_vector(s->gravity, 0, -9.81, -1.0 / 3);
    ck_assert_double_eq(s->alpha, 0);
    ck_assert_double_eq(s->solver.tolerance, 1e-7);
    ck_assert_int_eq(s->solver.max_iterations, 300);
    ck_assert_double_eq(s->solver.penalty, 0.7);
    ck_assert(s->solver.adapt_penalty && !s->solver.anderson && s->solver.strict);
    ck_assert_int_eq(s->solver.depth, 3);
    ck_assert_int_eq(s->solver.preconditioner, PRECONDITIONER_BLOCK_JACOBI);
    ck_assert(s->solver.preconditioner_is_named);
    ck_assert_int_eq(s->contact.model, CONTACT_PENALTY);
    ck_assert_double_eq(s->contact.stiffness, 1e5);
    ck_assert_double_eq(s->contact.friction, 0.1);
    ck_assert(s->contact.friction_speed == 0.002 && s->contact.friction_iterations == 2);
    ck_assert(s->contact.pair_count == 1 && s->contact.pairs[0].friction == 0.4);
    ck_assert_int_eq(s->image_size[0], 640);
    ck_assert_int_eq(s->image_size[1], 360);
    ck_assert(s->has_camera && !s->images);
    ck_vector(s->eye, 1, 0.8, 2);
    ck_vector(s->target, 0, 0.3, 0);
    ck_assert_double_eq(s->fov_degrees, 35);
    ck_assert_int_eq(s->color_by, COLOR_BY_STRETCH);
    ck_assert_int_eq(s->checkpoint_every, 30);
}

static void check_first_body(const BodyDef *body)
{
    const double third = 1 / sqrt(14.0);
    ck_assert_str_eq(body->name, "from file // no comment");
    ck_assert_int_eq(body->geometry.kind, GEOMETRY_MESH);
    ck_assert_str_eq(body->geometry.mesh, SOURCE_DIR "/tests/scenes/two_tets.mesh");
    ck_assert_double_eq(body->scale, 2);
    for (int i = 0; i < 3; ++i)
        ck_assert_double_eq_tol(body->rotate_axis[i], (i + 1) * third, 1e-15);
    ck_assert_double_eq(body->rotate_degrees, 30);
    ck_vector(body->translate, 0.1, 0.2, 0.3);
    ck_vector(body->velocity, 1, 2, 3);
    ck_vector(body->angular_velocity, 4, 5, 6);
    ck_vector(body->velocity_gradient, 1, 2, 3);
    ck_vector(body->velocity_gradient + 3, 4, 0.125, 6);
    ck_vector(body->velocity_gradient + 6, 7, 8, 9);
    ck_assert_int_eq(body->array_count[0], 2);
    ck_assert_int_eq(body->array_count[2], 3);
    ck_vector(body->array_spacing, 5, 0, 7);
    ck_vector(body->look.color, 0.8, 0.2, 0.25);
    ck_assert_double_eq(body->look.roughness, 0.4);
}

static void check_regions(const SceneDef *scene, const BodyDef *body)
{
    ck_assert_int_eq(body->region_count, 2);
    ck_assert_int_eq(body->regions[0].select.kind, SELECT_NODES);
    ck_assert_int_eq(body->regions[0].select.node_count, 4);
    ck_assert_str_eq(body->regions[0].select.path, "bodies[0].regions[0].select");
    ck_assert_str_eq(scene->materials[body->regions[0].material].name, "jelly");
    ck_assert_int_eq(body->regions[1].select.kind, SELECT_ALL);
    ck_assert_str_eq(scene->materials[body->regions[1].material].name, "rubber");
}

static void check_pins(const PinDef *pins)
{
    static const SelectKind kinds[] = {SELECT_BOX,   SELECT_SPHERE, SELECT_NODES, SELECT_NEAREST,
                                       SELECT_GROUP, SELECT_ALL,    SELECT_ALL};
    for (int i = 0; i < 7; ++i) {
        char path[64];
        snprintf(path, sizeof path, "bodies[0].pins[%d].select", i);
        ck_assert_int_eq(pins[i].select.kind, kinds[i]);
        ck_assert_str_eq(pins[i].select.path, path);
    }
    ck_vector(pins[0].select.box[0], -1, 0.9, -1);
    ck_vector(pins[0].select.box[1], 1, 2, 1);
    ck_assert_int_eq(pins[0].motion.keyframe_count, 2);
    ck_assert_double_eq(pins[0].motion.keyframes[1].time, 1);
    ck_vector(pins[0].motion.keyframes[1].translate, 0, 0.2, 0);
    ck_assert(!pins[0].motion.keyframes[1].has_rotation);
    ck_vector(pins[1].select.center, 1, 2, 3);
    ck_assert_double_eq(pins[1].select.radius, 0.4);
    ck_assert(pins[1].motion.keyframes[0].has_rotation);
    ck_vector(pins[1].motion.keyframes[0].axis, 0, 0, 1);
    ck_vector(pins[1].motion.keyframes[0].about, 1, 0, 0);
    ck_assert_double_eq(pins[1].motion.keyframes[0].degrees, 720);
    ck_assert_int_eq(pins[2].select.node_count, 2);
    ck_assert_int_eq(pins[2].select.nodes[1], 2);
    ck_assert(!pins[2].motion.spin && pins[2].motion.keyframe_count == 0);
    ck_vector(pins[3].select.nearest, 3, 4, 5);
    ck_assert(pins[3].motion.spin);
    ck_vector(pins[3].motion.spin_about, 7, 8, 9);
    ck_assert_double_eq(pins[3].motion.spin_speed, -2);
    ck_assert_str_eq(pins[4].select.group, "left end");
}

static void check_other_types(const BodyDef *bodies)
{
    ck_assert_int_eq(bodies[4].point_mass_count, 1);
    ck_assert_int_eq(bodies[4].point_masses[0].select.nodes[0], 0);
    ck_assert_double_eq(bodies[4].point_masses[0].mass, 0.25);
    ck_assert_double_eq(bodies[4].contact_thickness, 0.002);
    ck_assert_double_eq(bodies[3].contact_thickness, 0);
    ck_assert_int_eq(bodies[5].type, BODY_CABLE);
    ck_vector(bodies[5].geometry.to, 2, 1, 0);
    ck_assert_int_eq(bodies[5].geometry.segments, 4);
    ck_assert_double_eq(bodies[5].radius, 0.01);
    ck_assert_double_eq(bodies[5].contact_thickness, 0.02);
    ck_assert_double_eq(bodies[5].bending_modulus, 3e6);
    ck_assert_double_eq(bodies[5].rest_scale[0], 0.9);
    ck_assert_int_eq(bodies[6].geometry.segments, 2);
    ck_vector(bodies[6].geometry.points[2], 0.5, 2, 0.5);
    ck_assert_double_eq(bodies[6].bending_modulus, 0);
    ck_assert_double_eq(bodies[6].rest_scale[0], 1);
    ck_assert_int_eq(bodies[7].type, BODY_AFFINE);
    ck_assert_double_eq(bodies[7].stiffness, 2e7);
    ck_assert_int_eq(bodies[8].type, BODY_SHELL);
    ck_assert_double_eq(bodies[8].geometry.size[1], 0.5);
    ck_assert_int_eq(bodies[8].geometry.cells[1], 3);
    ck_assert_double_eq(bodies[8].thickness, 0.001);
    ck_assert_double_eq(bodies[8].contact_thickness, 0.001);
    ck_assert_int_eq(bodies[8].bending, BENDING_QUADRATIC);
    ck_assert_double_eq(bodies[8].bending_modulus, 1e4);
    ck_assert_double_eq(bodies[8].rest_scale[0], 0.9);
    ck_assert_double_eq(bodies[8].rest_scale[1], 1.1);
    ck_assert_int_eq(bodies[9].bending, BENDING_NONE);
    ck_assert_double_eq_tol(bodies[9].bending_modulus, 2 * 35 * 1.4,
                            1e-12); // nu = lambda/(2 (lambda + mu)) = 0.4
    ck_assert_double_eq(bodies[9].rest_scale[1], 0.8);
}

START_TEST(every_key_arrives)
{
    read_every_key();
    const SceneDef *s = &reading.scene;
    check_settings(s);
    ck_assert_int_eq(s->material_count, 5);
    ck_assert_int_eq(s->body_count, 10);
    check_other_types(s->bodies);
    check_first_body(&s->bodies[0]);
    ck_assert_int_eq(s->bodies[0].pin_count, 7);
    check_regions(s, &s->bodies[0]);
    check_pins(s->bodies[0].pins);
    ck_assert(s->materials[2].prevent_inversion && !s->materials[1].prevent_inversion);
    const DampingList *damping = &s->materials[0].damping;
    ck_assert_int_eq(damping->count, 5);
    for (int32_t i = 0; i < damping->count; ++i)
        ck_assert_int_eq(damping->entries[i].type, i);
    ck_assert(damping->entries[0].shear == 3 && damping->entries[0].bulk == 0.5);
    ck_assert(damping->entries[1].time == 0.01 && damping->entries[1].mass == 0.1);
    ck_assert(damping->entries[2].correction == CORRECTION_RIGID_VELOCITY &&
              damping->entries[2].form == FORM_IMPLICIT);
    ck_assert(damping->entries[3].coefficient == 7 && damping->entries[3].exponent == 0.5);
    ck_assert_int_eq(damping->entries[3].form, FORM_SECOND_ORDER);
    ck_assert(damping->entries[4].factor.count == 3 && damping->entries[4].factor.points[2][0] == 1.5);
    ck_assert_int_eq(s->materials[2].damping.entries[0].correction, CORRECTION_VELOCITY_GRADIENT);
    ck_assert_str_eq(s->materials[4].name, "a \"quoted\" name, \xc3\xbc");
    for (int i = 0; i < 5; ++i) {
        ck_assert_int_eq(s->bodies[i].material, i);
        ck_assert_int_eq(s->bodies[i].geometry.kind, GEOMETRY_MESH + i);
    }
    ck_vector(s->bodies[1].geometry.size, 1, 2, 3);
    ck_assert_int_eq(s->bodies[1].geometry.cells[2], 6);
    ck_assert_int_eq(s->bodies[2].geometry.resolution, 6);
    ck_assert_double_eq(s->bodies[3].geometry.length, 2);
    ck_assert_double_eq(s->bodies[4].geometry.tube, 0.2);
    ck_assert_str_eq(s->bodies[4].name, "body4");
    const ObstacleDef *ground = &s->obstacles[0];
    ck_assert_str_eq(ground->name, "ground");
    ck_vector(ground->point, 0, -1, 0);
    ck_assert_double_eq_tol(ground->normal[1], 5 / sqrt(1 + 25 + 0.09), 1e-15);
    ck_assert(ground->has_friction);
    ck_assert_double_eq(ground->friction, 0.3);
    ck_assert_int_eq(ground->motion.keyframe_count, 2);
    ck_assert_double_eq(ground->look.roughness, 1);
    ck_assert_str_eq(s->obstacles[1].name, "obstacle1");
    ck_assert(!s->obstacles[1].has_friction);
}
END_TEST

// every_key.json cannot hold these.
START_TEST(every_key_of_newton_and_energy_control_arrives)
{
    ASSERT_OK(reading.context,
              scene_read(reading.context, every_key_newton, 0, NULL, &reading.arena, &reading.scene));
    const SolverDef *solver = &reading.scene.solver;
    ck_assert_double_eq(reading.scene.air.drag, 1.5);
    ck_vector(reading.scene.air.wind, 1, 0, -2.5);
    ck_assert_int_eq(solver->type, SOLVER_NEWTON);
    ck_assert_double_eq(solver->tolerance, 1e-3);
    ck_assert_int_eq(solver->max_iterations, 40);
    ck_assert_double_eq(solver->linear_tolerance, 1e-6);
    ck_assert_int_eq(solver->linear_max_iterations, 700);
    ck_assert_int_eq(solver->preconditioner, PRECONDITIONER_BLOCK_JACOBI);
    ck_assert(solver->strict);
    ck_assert_ptr_null(reading.scene.bodies[0].skin.mesh);
    ck_assert_str_eq(reading.scene.bodies[1].skin.mesh, SOURCE_DIR "/tests/scenes/steps.obj");
    ck_assert(reading.scene.bodies[1].skin.contact);
    const EnergyDef *energy = &reading.scene.energy;
    ck_assert_int_eq(reading.scene.integrator, INTEGRATOR_A_SEARCH);
    ck_assert_double_eq(energy->alpha_min, -0.25);
    ck_assert_double_eq(energy->alpha_max, 1.2);
    ck_assert_double_eq(energy->initial_energy, 0.95);
    ck_assert_double_eq(energy->ground_energy, -2.5);
    ck_assert(energy->sparse);
    ck_assert_int_eq(energy->decay_count, 3);
    static const double decay[3][2] = {{0, INFINITY}, {1, 0.5}, {1.5, 3}};
    for (int i = 0; i < 3; ++i) {
        ck_assert_double_eq(energy->decay[i].time, decay[i][0]);
        ck_assert(energy->decay[i].value == decay[i][1]);
    }
}
END_TEST

START_TEST(every_integrator_is_read)
{
    for (int type = 0; WORDS_INTEGRATOR.known[type]; ++type) {
        char settings[100];
        snprintf(settings, sizeof settings, "\"integrator\": {\"type\": \"%s\"}",
                 WORDS_INTEGRATOR.known[type]);
        reading_settings(&reading, settings);
        ck_assert_int_eq(reading.scene.integrator, type);
        // The resolved scene has the keys of this type and no other's.
        const char *integrator = strstr(reading.scene.resolved, "\"integrator\"");
        const char *end = strchr(integrator, '}');
        static const char *const keys[] = {"\"alpha\"", "\"alpha_max\""};
        for (int i = 0; i < 2; ++i) {
            const char *found = strstr(integrator, keys[i]);
            ck_assert_int_eq(found && found < end,
                             type == (i == 0 ? INTEGRATOR_VARIATIONAL : INTEGRATOR_A_SEARCH));
        }
    }
    ck_assert_int_eq(INTEGRATOR_RK4, 10);
}
END_TEST

START_TEST(defaults_depend_on_the_type)
{
    reading_settings(&reading,
                     "\"solver\": {\"type\": \"newton\"}, \"integrator\": {\"type\": \"a_search\"}");
    const SolverDef *solver = &reading.scene.solver;
    ck_assert_double_eq(solver->tolerance, 0.01);
    ck_assert_int_eq(solver->max_iterations, 100);
    ck_assert_double_eq(solver->linear_tolerance, 1e-4);
    ck_assert_int_eq(solver->linear_max_iterations, 2000);
    ck_assert(!solver->strict);
    const EnergyDef *energy = &reading.scene.energy;
    ck_assert_double_eq(energy->alpha_min, 0);
    ck_assert_double_eq(energy->alpha_max, 1.1);
    ck_assert_double_eq(energy->initial_energy, 1);
    ck_assert_double_eq(energy->ground_energy, 0);
    ck_assert(!energy->sparse);
    ck_assert_int_eq(energy->decay_count, 0);
    reading_settings(&reading, "\"solver\": {\"type\": \"admm\"}");
    ck_assert_double_eq(solver->tolerance, 1e-5);
    ck_assert_int_eq(solver->max_iterations, 500);
    reading_settings(&reading, "\"integrator\": {\"type\": \"a_search\", \"decay_time\": \"1/4\"}");
    ck_assert_int_eq(energy->decay_count, 1);
    ck_assert_double_eq(energy->decay[0].value, 0.25);
    reading_settings(&reading, "\"integrator\": {\"type\": \"variational\", \"alpha\": \"1/3\"}");
    ck_assert_double_eq(reading.scene.alpha, 1.0 / 3);
}
END_TEST

START_TEST(stiffness_is_converted)
{
    read_every_key();
    const MaterialDef *m = reading.scene.materials;
    const double mu = 2e5 / 2.6;
    ck_assert_int_eq(m[0].model, ENERGY_NEO_HOOKEAN);
    ck_assert_double_eq_tol(m[0].kappa, mu, 1e-9);
    ck_assert_double_eq_tol(m[0].lambda, 2e5 * 0.3 / (1.3 * 0.4), 1e-9);
    ck_assert_double_eq(m[0].poissons_ratio, 0.3);
    ck_assert_double_eq(m[0].friction, 0.2);
    // nu = lambda/(2 (lambda + mu))
    ck_assert_double_eq(m[1].kappa, 35);
    ck_assert_double_eq(m[1].lambda, 140);
    ck_assert_double_eq(m[1].poissons_ratio, 0.4);
    // arap: k = 2 mu, whatever the ratio
    ck_assert_double_eq_tol(m[2].kappa, 2 * 1e4 / (2 * 0.8), 1e-9);
    ck_assert_double_eq(m[2].lambda, 0);
    ck_assert_double_eq(m[2].poissons_ratio, 0);
    ck_assert_double_eq(m[3].kappa, 1e4);
}
END_TEST

START_TEST(shear_matches_at_rest)
{
    static const struct {
        const char *model;
        double factor; ///< of mu
    } rows[] = {{"arap", 2},      {"symmetric_dirichlet", 0.5}, {"symmetric_gradient", 1}, {"neo_hookean", 1},
                {"corotated", 1}, {"fixed_corotated", 1},       {"stable_neo_hookean", 1}, {"stvk", 1}};
    for (int i = 0; i < 8; ++i) {
        char fresh[160];
        snprintf(fresh, sizeof fresh,
                 "\"%s\", \"density\": 1000, \"youngs_modulus\": 260, \"poissons_ratio\": 0.3",
                 rows[i].model);
        char *text = edited_scene("\"neo_hookean\", \"density\": 1000, \"kappa\": 100", fresh);
        ASSERT_OK(reading.context, reading_parse(&reading, text));
        // E = 260, nu = 0.3: mu = 100, lambda = 150, of which the first three have nothing
        const MaterialDef *material = &reading.scene.materials[0];
        ck_assert_double_eq_tol(material->kappa, rows[i].factor * 100, 1e-11);
        const double lambda = i < 3 ? 0 : i == 6 ? 250 : 150;
        ck_assert_double_eq_tol(material->lambda, lambda, 1e-11);
        ck_assert_double_eq(material->poissons_ratio, i < 3 ? 0 : 0.3);
        free(text);
    }
}
END_TEST

static void same_motion(const Motion *a, const Motion *b)
{
    ck_assert_int_eq(a->keyframe_count, b->keyframe_count);
    ck_assert_int_eq(a->spin, b->spin);
    ck_assert_mem_eq(a->spin_axis, b->spin_axis, sizeof a->spin_axis);
    ck_assert_mem_eq(a->spin_about, b->spin_about, sizeof a->spin_about);
    ck_assert_double_eq(a->spin_speed, b->spin_speed);
    for (int32_t i = 0; i < a->keyframe_count; ++i) {
        const Keyframe *k = &a->keyframes[i], *l = &b->keyframes[i];
        ck_assert(k->time == l->time && k->has_rotation == l->has_rotation && k->degrees == l->degrees);
        ck_assert_mem_eq(k->translate, l->translate, sizeof k->translate);
        ck_assert_mem_eq(k->axis, l->axis, sizeof k->axis);
        ck_assert_mem_eq(k->about, l->about, sizeof k->about);
    }
}

static void same_select(const SelectDef *a, const SelectDef *b)
{
    ck_assert_int_eq(a->kind, b->kind);
    ck_assert_mem_eq(a->box, b->box, sizeof a->box);
    ck_assert_mem_eq(a->center, b->center, sizeof a->center);
    ck_assert_double_eq(a->radius, b->radius);
    ck_assert_mem_eq(a->nearest, b->nearest, sizeof a->nearest);
    ck_assert_int_eq(a->node_count, b->node_count);
    for (int32_t i = 0; i < a->node_count; ++i)
        ck_assert_int_eq(a->nodes[i], b->nodes[i]);
    ck_assert_str_eq(a->group ? a->group : "", b->group ? b->group : "");
    ck_assert_str_eq(a->path, b->path);
}

static void same_body(const BodyDef *a, const BodyDef *b)
{
    ck_assert_str_eq(a->name, b->name);
    ck_assert_str_eq(a->geometry.mesh, b->geometry.mesh);
    ck_assert(a->geometry.kind == b->geometry.kind && a->geometry.resolution == b->geometry.resolution);
    ck_assert_mem_eq(a->geometry.size, b->geometry.size, sizeof a->geometry.size);
    ck_assert_mem_eq(a->geometry.cells, b->geometry.cells, sizeof a->geometry.cells);
    ck_assert(a->geometry.radius == b->geometry.radius && a->geometry.length == b->geometry.length &&
              a->geometry.tube == b->geometry.tube);
    ck_assert(a->material == b->material && a->scale == b->scale && a->rotate_degrees == b->rotate_degrees);
    ck_assert_mem_eq(a->rotate_axis, b->rotate_axis, sizeof a->rotate_axis);
    ck_assert_mem_eq(a->translate, b->translate, sizeof a->translate);
    ck_assert_mem_eq(a->velocity, b->velocity, sizeof a->velocity);
    ck_assert_mem_eq(a->angular_velocity, b->angular_velocity, sizeof a->angular_velocity);
    ck_assert_mem_eq(a->velocity_gradient, b->velocity_gradient, sizeof a->velocity_gradient);
    ck_assert_mem_eq(a->array_count, b->array_count, sizeof a->array_count);
    ck_assert_mem_eq(a->array_spacing, b->array_spacing, sizeof a->array_spacing);
    ck_assert(a->in_constraint_form == b->in_constraint_form);
    ck_assert_mem_eq(a->look.color, b->look.color, sizeof a->look.color);
    ck_assert_double_eq(a->look.roughness, b->look.roughness);
    ck_assert_int_eq(a->pin_count, b->pin_count);
    for (int32_t i = 0; i < a->pin_count; ++i) {
        same_select(&a->pins[i].select, &b->pins[i].select);
        same_motion(&a->pins[i].motion, &b->pins[i].motion);
    }
}

static void same_constraint(const ConstraintDef *a, const ConstraintDef *b)
{
    ck_assert_str_eq(a->name, b->name);
    ck_assert(a->type == b->type && a->compliance == b->compliance && a->side == b->side);
    ck_assert(a->has_length == b->has_length && a->length == b->length);
    ck_assert(a->has_angle == b->has_angle && a->angle_degrees == b->angle_degrees);
    ck_assert_mem_eq(a->at, b->at, sizeof a->at);
    ck_assert_mem_eq(a->axis, b->axis, sizeof a->axis);
    ck_assert(a->has_limits == b->has_limits);
    ck_assert_mem_eq(a->limits_degrees, b->limits_degrees, sizeof a->limits_degrees);
    ck_assert_str_eq(a->path, b->path);
    ck_assert_int_eq(a->end_count, b->end_count);
    for (int32_t i = 0; i < a->end_count; ++i) {
        const ConstraintEnd *end = &a->ends[i], *other = &b->ends[i];
        ck_assert(end->body == other->body && end->is_node == other->is_node && end->node == other->node);
        ck_assert_mem_eq(end->point, other->point, sizeof end->point);
        ck_assert_str_eq(end->path, other->path);
        same_motion(&end->motion, &other->motion);
    }
}

static void same_energy_control(const EnergyDef *a, const EnergyDef *b)
{
    ck_assert(a->alpha_min == b->alpha_min && a->alpha_max == b->alpha_max && a->sparse == b->sparse);
    ck_assert(a->initial_energy == b->initial_energy && a->ground_energy == b->ground_energy);
    ck_assert_int_eq(a->decay_count, b->decay_count);
    for (int32_t i = 0; i < a->decay_count; ++i)
        ck_assert(a->decay[i].time == b->decay[i].time && a->decay[i].value == b->decay[i].value);
}

static void same_contact(const ContactDef *a, const ContactDef *b)
{
    ck_assert(a->model == b->model && a->stiffness == b->stiffness && a->distance == b->distance);
    ck_assert(a->self == b->self && a->friction == b->friction && a->friction_model == b->friction_model);
    ck_assert(a->friction_speed == b->friction_speed && a->friction_iterations == b->friction_iterations);
    ck_assert_int_eq(a->pair_count, b->pair_count);
    for (int32_t i = 0; i < a->pair_count; ++i) {
        ck_assert_str_eq(a->pairs[i].names[0], b->pairs[i].names[0]);
        ck_assert_str_eq(a->pairs[i].names[1], b->pairs[i].names[1]);
        ck_assert_double_eq(a->pairs[i].friction, b->pairs[i].friction);
        ck_assert(a->pairs[i].has_friction == b->pairs[i].has_friction);
        ck_assert(a->pairs[i].no_contact == b->pairs[i].no_contact);
    }
    ck_assert_double_eq(a->clearance, b->clearance);
}

static void same_settings(const SceneDef *a, const SceneDef *b)
{
    ck_assert_str_eq(a->name, b->name);
    ck_assert(a->step == b->step && a->duration == b->duration && a->step_count == b->step_count);
    ck_assert_int_eq(a->frame_every, b->frame_every);
    ck_assert_mem_eq(a->gravity, b->gravity, sizeof a->gravity);
    ck_assert(a->air.drag == b->air.drag);
    ck_assert_mem_eq(a->air.wind, b->air.wind, sizeof a->air.wind);
    ck_assert(a->integrator == b->integrator && a->alpha == b->alpha);
    same_energy_control(&a->energy, &b->energy);
    const SolverDef *s = &a->solver, *t = &b->solver;
    ck_assert(s->type == t->type && s->tolerance == t->tolerance && s->max_iterations == t->max_iterations);
    ck_assert(s->linear_tolerance == t->linear_tolerance &&
              s->linear_max_iterations == t->linear_max_iterations && s->preconditioner == t->preconditioner);
    ck_assert(s->type != SOLVER_ADMM || s->preconditioner_is_named == t->preconditioner_is_named);
    ck_assert(s->penalty == t->penalty && s->adapt_penalty == t->adapt_penalty && s->anderson == t->anderson);
    ck_assert(s->depth == t->depth && s->strict == t->strict);
    ck_assert(s->geometric_stiffness == t->geometric_stiffness && s->iterations == t->iterations &&
              s->linear_solve == t->linear_solve);
    ck_assert_int_eq(a->constraint_count, b->constraint_count);
    for (int32_t i = 0; i < a->constraint_count; ++i)
        same_constraint(&a->constraints[i], &b->constraints[i]);
    ck_assert(a->draw_joints == b->draw_joints);
    same_contact(&a->contact, &b->contact);
    ck_assert_mem_eq(a->image_size, b->image_size, sizeof a->image_size);
    ck_assert(a->has_camera == b->has_camera && a->fov_degrees == b->fov_degrees &&
              a->color_by == b->color_by);
    ck_assert_mem_eq(a->eye, b->eye, sizeof a->eye);
    ck_assert_mem_eq(a->target, b->target, sizeof a->target);
    ck_assert(a->images == b->images && a->checkpoint_every == b->checkpoint_every);
}

static void same_damping(const DampingList *a, const DampingList *b)
{
    ck_assert_int_eq(a->count, b->count);
    for (int32_t i = 0; i < a->count; ++i) {
        const Damping *m = &a->entries[i], *n = &b->entries[i];
        ck_assert(m->type == n->type && m->correction == n->correction && m->shear == n->shear);
        ck_assert(m->bulk == n->bulk && m->time == n->time && m->mass == n->mass && m->form == n->form);
        ck_assert(m->coefficient == n->coefficient && m->exponent == n->exponent);
        ck_assert_int_eq(m->factor.count, n->factor.count);
        for (int32_t p = 0; p < m->factor.count; ++p)
            ck_assert_mem_eq(m->factor.points[p], n->factor.points[p], sizeof m->factor.points[p]);
    }
}

static void same_scene(const SceneDef *a, const SceneDef *b)
{
    same_settings(a, b);
    ck_assert_int_eq(a->material_count, b->material_count);
    for (int32_t i = 0; i < a->material_count; ++i) {
        const MaterialDef *m = &a->materials[i], *n = &b->materials[i];
        ck_assert_str_eq(m->name, n->name);
        ck_assert(m->model == n->model && m->density == n->density && m->kappa == n->kappa);
        ck_assert(m->lambda == n->lambda && m->poissons_ratio == n->poissons_ratio &&
                  m->friction == n->friction);
        ck_assert(m->youngs_modulus == n->youngs_modulus && m->given_ratio == n->given_ratio);
        ck_assert_int_eq(m->has_friction, n->has_friction);
        ck_assert_int_eq(m->prevent_inversion, n->prevent_inversion);
        same_damping(&m->damping, &n->damping);
    }
    ck_assert_int_eq(a->body_count, b->body_count);
    for (int32_t i = 0; i < a->body_count; ++i)
        same_body(&a->bodies[i], &b->bodies[i]);
    ck_assert_int_eq(a->obstacle_count, b->obstacle_count);
    for (int32_t i = 0; i < a->obstacle_count; ++i) {
        const ObstacleDef *o = &a->obstacles[i], *p = &b->obstacles[i];
        ck_assert_str_eq(o->name, p->name);
        ck_assert_mem_eq(o->point, p->point, sizeof o->point);
        ck_assert_mem_eq(o->normal, p->normal, sizeof o->normal);
        ck_assert(o->kind == p->kind && o->radius == p->radius && o->scale == p->scale);
        ck_assert_mem_eq(o->center, p->center, sizeof o->center);
        ck_assert_str_eq(o->mesh, p->mesh);
        ck_assert_mem_eq(o->rotate_axis, p->rotate_axis, sizeof o->rotate_axis);
        ck_assert_double_eq(o->rotate_degrees, p->rotate_degrees);
        ck_assert_mem_eq(o->translate, p->translate, sizeof o->translate);
        ck_assert(o->has_friction == p->has_friction && o->friction == p->friction);
        ck_assert_mem_eq(o->look.color, p->look.color, sizeof o->look.color);
        ck_assert_double_eq(o->look.roughness, p->look.roughness);
        same_motion(&o->motion, &p->motion);
    }
    ck_assert_str_eq(a->resolved, b->resolved);
    ck_assert(a->hash == b->hash);
}

// `name`: where the resolved scene is left for the check against the schema.
static void check_reading_back(const char *name)
{
    SceneDef again;
    char path[4200];
    const char *text = reading.scene.resolved;
    snprintf(path, sizeof path, "%s/scene_samples/%s.json", BINARY_DIR, name);
    ASSERT_OK(reading.context, file_make_folder(reading.context, BINARY_DIR "/scene_samples"));
    ASSERT_OK(reading.context, file_write(reading.context, path, text, strlen(text)));
    ASSERT_OK(reading.context, scene_parse(reading.context, "elsewhere/other.json", text, strlen(text), 0,
                                           NULL, &reading.arena, &again));
    same_scene(&reading.scene, &again);
}

START_TEST(resolved_scene_reads_back)
{
    read_every_key();
    check_reading_back("every_key");
    ASSERT_OK(reading.context,
              scene_read(reading.context, every_key_newton, 0, NULL, &reading.arena, &reading.scene));
    check_reading_back("every_key_newton");
    ASSERT_OK(reading.context,
              scene_read(reading.context, SOURCE_DIR "/tests/scenes/every_key_compliant.json", 0, NULL,
                         &reading.arena, &reading.scene));
    check_reading_back("every_key_compliant");
    ASSERT_OK(reading.context, reading_parse(&reading, BASIC_SCENE));
    check_reading_back("basic");
    reading_settings(&reading, "\"integrator\": {\"type\": \"a_search\", \"decay_time\": 2}");
    check_reading_back("a_search");
}
END_TEST

// Directions of every size and many roundings are the same after a second normalisation.
START_TEST(directions_keep_their_bits)
{
    uint32_t random = 12345;
    for (int trial = 0; trial < 300; ++trial) {
        char normal[200];
        double v[3];
        for (int i = 0; i < 3; ++i) {
            random = random * 1664525u + 1013904223u;
            v[i] = ((double)random / 4294967296.0 - 0.5) * pow(10, trial % 21 - 10);
        }
        snprintf(normal, sizeof normal,
                 "\"version\": 1, \"obstacles\": [{\"plane\": {\"point\": [0, 0, 0], \"normal\": [%.17g, "
                 "%.17g, %.17g]}}],",
                 v[0], v[1], v[2]);
        char *text = edited_scene("\"version\": 1,", normal);
        SceneDef again;
        ASSERT_OK(reading.context, reading_parse(&reading, text));
        ASSERT_OK(reading.context,
                  scene_parse(reading.context, "test.json", reading.scene.resolved,
                              strlen(reading.scene.resolved), 0, NULL, &reading.arena, &again));
        ck_assert_mem_eq(reading.scene.obstacles[0].normal, again.obstacles[0].normal, sizeof v);
        free(text);
    }
}
END_TEST

static uint64_t hash_of(const char *path)
{
    ASSERT_OK(reading.context, scene_read(reading.context, path, 0, NULL, &reading.arena, &reading.scene));
    return reading.scene.hash;
}

START_TEST(hash_follows_meaning_and_meshes)
{
    Arena *arena = &reading.arena;
    char *scene, *mesh;
    size_t scene_size, mesh_size;
    const char folder[] = BINARY_DIR "/scene_hash";
    const uint64_t original = hash_of(every_key);
    ASSERT_OK(reading.context, file_make_folder(reading.context, folder));
    ASSERT_OK(reading.context, file_read(reading.context, every_key, arena, &scene, &scene_size));
    ASSERT_OK(reading.context,
              file_read(reading.context, SOURCE_DIR "/tests/scenes/two_tets.mesh", arena, &mesh, &mesh_size));
    ASSERT_OK(reading.context,
              file_write(reading.context, BINARY_DIR "/scene_hash/two_tets.mesh", mesh, mesh_size));
    // Elsewhere, and without its first comment: the same scene.
    const char *body = strchr(scene, '\n');
    ASSERT_OK(reading.context, file_write(reading.context, BINARY_DIR "/scene_hash/copy.json", body,
                                          scene_size - (size_t)(body - scene)));
    ck_assert(hash_of(BINARY_DIR "/scene_hash/copy.json") == original);
    mesh[mesh_size - 2] ^= 1;
    ASSERT_OK(reading.context,
              file_write(reading.context, BINARY_DIR "/scene_hash/two_tets.mesh", mesh, mesh_size));
    ck_assert(hash_of(BINARY_DIR "/scene_hash/copy.json") != original);
    // The mesh of an obstacle counts as well, and its name does not.
    const uint64_t with_obstacle = hash_of(every_key_newton);
    ASSERT_OK(reading.context, file_read(reading.context, every_key_newton, arena, &scene, &scene_size));
    ASSERT_OK(reading.context,
              file_write(reading.context, BINARY_DIR "/scene_hash/newton.json", scene, scene_size));
    ASSERT_OK(reading.context,
              file_read(reading.context, SOURCE_DIR "/tests/scenes/steps.obj", arena, &mesh, &mesh_size));
    ASSERT_OK(reading.context,
              file_write(reading.context, BINARY_DIR "/scene_hash/steps.obj", mesh, mesh_size));
    ck_assert(hash_of(BINARY_DIR "/scene_hash/newton.json") == with_obstacle);
    mesh[mesh_size - 2] ^= 1;
    ASSERT_OK(reading.context,
              file_write(reading.context, BINARY_DIR "/scene_hash/steps.obj", mesh, mesh_size));
    ck_assert(hash_of(BINARY_DIR "/scene_hash/newton.json") != with_obstacle);
    const char *change[] = {"time.duration=0.6"};
    ASSERT_OK(reading.context, scene_read(reading.context, every_key, 1, change, arena, &reading.scene));
    ck_assert(reading.scene.hash != original);
    // FNV-1a of nothing, and of "a", as published.
    ck_assert(hash_bytes(HASH_START, "", 0) == UINT64_C(0xcbf29ce484222325));
    ck_assert(hash_bytes(HASH_START, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
}
END_TEST

START_TEST(mesh_paths_start_at_the_scene)
{
    char folder[4096], expected[8192];
    ck_assert_ptr_nonnull(getcwd(folder, sizeof folder));
    // From the working folder, from a folder below it, and absolute.
    ASSERT_OK(reading.context, file_make_folder(reading.context, "scene_paths/deep"));
    ASSERT_OK(reading.context, file_write(reading.context, "scene_paths/deep/a.mesh", "x", 1));
    ASSERT_OK(reading.context, file_write(reading.context, "scene_paths/a.mesh", "x", 1));
    static const char *const rows[][3] = {
        {"scene_paths/s.json", "deep/a.mesh", "/scene_paths/deep/a.mesh"},
        {"s.json", "scene_paths/a.mesh", "/scene_paths/a.mesh"},
        {"scene_paths/deep/s.json", "../a.mesh", "/scene_paths/deep/../a.mesh"}};
    for (int i = 0; i < 3; ++i) {
        char geometry[256];
        snprintf(geometry, sizeof geometry, "{\"mesh\": \"%s\"}", rows[i][1]);
        char *text = edited_scene("{\"box\": {\"size\": [1, 1, 1], \"cells\": [1, 1, 1]}}", geometry);
        ASSERT_OK(reading.context, scene_parse(reading.context, rows[i][0], text, strlen(text), 0, NULL,
                                               &reading.arena, &reading.scene));
        snprintf(expected, sizeof expected, "%s%s", folder, rows[i][2]);
        ck_assert_str_eq(reading.scene.bodies[0].geometry.mesh, expected);
        free(text);
    }
}
END_TEST

START_TEST(steps_are_rounded)
{
    static const struct {
        const char *time;
        int64_t steps;
    } rows[] = {
        {"\"step\": \"1/120\", \"duration\": 2", 240}, {"\"step\": 0.1, \"duration\": 0.3", 3},
        {"\"step\": 0.1, \"duration\": 0.34", 3},      {"\"step\": 0.1, \"duration\": 0.36", 4},
        {"\"step\": 1, \"duration\": 0", 0},           {"\"step\": \" 1 / 3 \", \"duration\": \"2/1\"", 6}};
    for (int i = 0; i < 6; ++i) {
        char *text = edited_scene("\"step\": 0.01, \"duration\": 1", rows[i].time);
        ASSERT_OK(reading.context, reading_parse(&reading, text));
        ck_assert_int_eq(reading.scene.step_count, rows[i].steps);
        free(text);
    }
}
END_TEST

START_TEST(default_names_are_usable)
{
    static const char *const rows[][2] = {{"a/b/bunny_drop.json", "bunny_drop"},
                                          {"x.scene.json", "x.scene"},
                                          {".json", "json"},
                                          {"a/..", "scene"},
                                          {"a b\xc3\xbc.json", "a_b__"},
                                          {"plain", "plain"}};
    for (int i = 0; i < 6; ++i) {
        ASSERT_OK(reading.context, scene_parse(reading.context, rows[i][0], BASIC_SCENE, strlen(BASIC_SCENE),
                                               0, NULL, &reading.arena, &reading.scene));
        ck_assert_str_eq(reading.scene.name, rows[i][1]);
    }
}
END_TEST

int main(void)
{
    // Files that the tests write belong into the build folder, wherever the program is started.
    if (chdir(BINARY_DIR) != 0)
        return EXIT_FAILURE;
    Suite *suite = suite_create("scene reader");
    TCase *tests = tcase_create("reader");
    tcase_add_checked_fixture(tests, start, stop);
    tcase_add_test(tests, defaults);
    tcase_add_test(tests, every_key_arrives);
    tcase_add_test(tests, every_key_of_newton_and_energy_control_arrives);
    tcase_add_test(tests, every_integrator_is_read);
    tcase_add_test(tests, defaults_depend_on_the_type);
    tcase_add_test(tests, stiffness_is_converted);
    tcase_add_test(tests, shear_matches_at_rest);
    tcase_add_test(tests, resolved_scene_reads_back);
    tcase_add_test(tests, directions_keep_their_bits);
    tcase_add_test(tests, hash_follows_meaning_and_meshes);
    tcase_add_test(tests, mesh_paths_start_at_the_scene);
    tcase_add_test(tests, steps_are_rounded);
    tcase_add_test(tests, default_names_are_usable);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
