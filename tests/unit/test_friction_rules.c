// The coefficients that contact looks up against scene_friction, and what it leaves out against scene_may_touch, for every pair of
// bodies and obstacles of random scenes.
#include "scene_fixture.h"

#include "model/exclusions.h"
#include "model/friction_rules.h"

enum { SCENES = 300, BODIES_MOST = 12, MATERIALS_MOST = 4, OBSTACLES_MOST = 3, PAIRS_MOST = 20 };

static int random_below(uint64_t *state, int count)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((*state >> 33) % (uint64_t)count);
}

static double random_friction(uint64_t *state)
{
    return 0.01 * random_below(state, 5);
}

/// A scene's part that friction depends on. Bodies, materials and obstacles share some names.
typedef struct Names {
    SceneDef scene;
    BodyDef bodies[BODIES_MOST];
    MaterialDef materials[MATERIALS_MOST];
    ObstacleDef obstacles[OBSTACLES_MOST];
    FrictionPairDef pairs[PAIRS_MOST];
} Names;

static void make_names(uint64_t *state, Names *names)
{
    static const char *const bodies[BODIES_MOST] = {"a", "b", "c", "d", "e", "f",
                                                    "g", "h", "i", "j", "k", "l"},
                             *const materials[MATERIALS_MOST] = {"a", "rubber", "steel", "g"},
                             *const obstacles[OBSTACLES_MOST] = {"floor", "b", "rubber"};
    SceneDef *scene = &names->scene;
    *names = (Names){0};
    scene->body_count = 1 + random_below(state, BODIES_MOST);
    scene->material_count = MATERIALS_MOST;
    scene->obstacle_count = random_below(state, OBSTACLES_MOST + 1);
    scene->contact.model = CONTACT_BARRIER;
    scene->contact.pair_count = random_below(state, PAIRS_MOST + 1);
    scene->contact.friction = random_friction(state);
    scene->bodies = names->bodies, scene->materials = names->materials, scene->obstacles = names->obstacles;
    scene->contact.pairs = names->pairs;
    for (int i = 0; i < BODIES_MOST; ++i) {
        names->bodies[i].name = bodies[i];
        names->bodies[i].material = random_below(state, MATERIALS_MOST);
    }
    for (int i = 0; i < MATERIALS_MOST; ++i) {
        names->materials[i].name = materials[i];
        names->materials[i].has_friction = random_below(state, 3) == 0;
        names->materials[i].friction = names->materials[i].has_friction ? random_friction(state) : 0;
    }
    for (int i = 0; i < OBSTACLES_MOST; ++i) {
        names->obstacles[i].name = obstacles[i];
        names->obstacles[i].has_friction = random_below(state, 2) == 0;
        names->obstacles[i].friction = names->obstacles[i].has_friction ? random_friction(state) : 0;
    }
    for (int i = 0; i < scene->contact.pair_count; ++i) {
        for (int side = 0; side < 2; ++side) {
            const int any = random_below(state, scene->body_count + MATERIALS_MOST + scene->obstacle_count);
            names->pairs[i].names[side] = any < scene->body_count ? bodies[any]
                                          : any < scene->body_count + MATERIALS_MOST
                                              ? materials[any - scene->body_count]
                                              : obstacles[any - scene->body_count - MATERIALS_MOST];
        }
        names->pairs[i].friction = 0.1 + 0.01 * i;
        if (random_below(state, 4) == 0)
            names->pairs[i].friction = 0;
        // Entries that only say that there is no contact leave friction to others.
        names->pairs[i].has_friction = random_below(state, 5) != 0;
        names->pairs[i].no_contact = !names->pairs[i].has_friction;
        if (names->pairs[i].no_contact)
            names->pairs[i].friction = 0;
    }
}

START_TEST(every_pair_is_that_of_the_scene)
{
    Reading reading;
    reading_start(&reading);
    uint64_t state = 5;
    int with_rule = 0, all = 0, unseen = 0, without_friction = 0;
    for (int s = 0; s < SCENES; ++s) {
        Names names;
        FrictionRules rules;
        ContactExclusions exclusions;
        bool any, expected = false;
        make_names(&state, &names);
        if (s % 4 == 0) { // hardly any: so that there are scenes without
            names.scene.contact.friction = 0;
            for (int i = 0; i < MATERIALS_MOST; ++i)
                names.materials[i].friction = 0;
            for (int i = 0; i < OBSTACLES_MOST; ++i)
                names.obstacles[i].friction = 0;
            names.scene.contact.pair_count = s % 8 == 0 ? 0 : 1 % (names.scene.contact.pair_count + 1);
        }
        const SceneDef *scene = &names.scene;
        ASSERT_OK(reading.context, friction_rules_build(reading.context, scene, &reading.arena, &rules));
        ASSERT_OK(reading.context, friction_rules_any(reading.context, &rules, &any));
        ASSERT_OK(reading.context, exclusions_build(reading.context, scene, &reading.arena, &exclusions));
        for (int32_t a = 0; a < scene->body_count; ++a)
            for (int32_t b = 0; b < scene->body_count + scene->obstacle_count; ++b) {
                const bool is_body = b < scene->body_count;
                const int32_t body = is_body ? b : -1, obstacle = is_body ? -1 : b - scene->body_count;
                const double friction = scene_friction(scene, a, body, obstacle);
                ck_assert_double_eq(friction_rules_find(&rules, a, body, obstacle), friction);
                const bool may_touch = scene_may_touch(scene, a, body, obstacle);
                ck_assert(exclusions_may_meet(&exclusions, exclusions_group(&exclusions, scene, a, -1),
                                              exclusions_group(&exclusions, scene, body, obstacle)) ==
                          may_touch);
                unseen += !may_touch;
                expected |= friction > 0;
                with_rule += friction >= 0.1;
                ++all;
            }
        ck_assert(any == expected);
        without_friction += !expected;
    }
    printf("%d of %d pairs follow a rule; %d of %d scenes have no friction\n", with_rule, all,
           without_friction, SCENES);
    printf("%d pairs do not see each other\n", unseen);
    ck_assert_int_gt(with_rule, all / 10);
    ck_assert_int_gt(unseen, all / 20);
    ck_assert_int_gt(without_friction, 5);
    reading_end(&reading);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("friction rules");
    TCase *tests = tcase_create("rules");
    tcase_add_test(tests, every_pair_is_that_of_the_scene);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
