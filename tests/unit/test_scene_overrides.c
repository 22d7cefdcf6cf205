// --set: what it may change, and that what goes wrong because of it names it.
#include "scene/parse.h"
#include "scene_fixture.h"

static Reading reading;

static void start(void)
{
    reading_start(&reading);
}

static void stop(void)
{
    reading_end(&reading);
}

static VelaResult set(int32_t count, const char *const *texts)
{
    return scene_parse(reading.context, "test.json", BASIC_SCENE, strlen(BASIC_SCENE), count, texts,
                       &reading.arena, &reading.scene);
}

START_TEST(values_arrive)
{
    const char *const texts[] = {
        "time.step=1/50",
        "bodies.0.translate=[0, 1, \"1/2\"]",
        "bodies.0.geometry.box.cells.1=7",
        "solver.penalty=2",
        "solver.strict=true",
        "name=a=b c",
        "materials.rubber.friction=0.5",
        "materials.second={\"model\": \"arap\", \"density\": 1, \"kappa\": 2}",
        "bodies.0.material=second",
        "bodies.0.pins=[{\"select\": \"all\"}]",
        "bodies.0.pins.0.motion=[{\"time\": 0}, {\"time\": 1}]",
        "bodies.0.pins.0.motion.1.translate=[1,2,3]",
        "render.camera={\"eye\": [1,1,1], \"target\": [0,0,0]}",
        "solver.penalty=3",
    };
    ASSERT_OK(reading.context, set(sizeof texts / sizeof texts[0], texts));
    const SceneDef *s = &reading.scene;
    ck_assert_double_eq(s->step, 1.0 / 50);
    ck_assert_double_eq(s->bodies[0].translate[2], 0.5);
    ck_assert_int_eq(s->bodies[0].geometry.cells[1], 7);
    ck_assert_int_eq(s->bodies[0].geometry.cells[2], 1);
    ck_assert_double_eq(s->solver.penalty, 3);
    ck_assert(s->solver.strict);
    ck_assert_str_eq(s->name, "a=b c");
    ck_assert_double_eq(s->materials[0].friction, 0.5);
    ck_assert_int_eq(s->bodies[0].material, 1);
    ck_assert_double_eq(s->bodies[0].pins[0].motion.keyframes[1].translate[1], 2);
    ck_assert(s->has_camera);
}
END_TEST

static const struct {
    const char *text, *message;
} cases[] = {
    {"time.step", "--set time.step: expected path.to.key=value"},
    {"name=caf\xe9", "--set name=caf: found the byte 0xe9 behind that, expected UTF-8 text"},
    {"materials.\xc3(=2", "--set materials.: found the byte 0xc3 behind that, expected UTF-8 text"},
    {"=3", "--set =3: expected path.to.key=value"},
    {"", "--set : expected path.to.key=value"},
    {"time..step=3", "--set time..step=3: time. has an empty or overlong name in its path"},
    {".time=3", "has an empty or overlong name in its path"},
    {"time.=3", "has an empty or overlong name in its path"},
    {"bodies.1.scale=2",
     "--set bodies.1.scale=2: bodies has 1 entries, found index 1, expected one below that number"},
    {"bodies.99999999999.scale=2", "bodies is a list, found \"99999999999\", expected an index"},
    {"bodies.x.scale=2", "--set bodies.x.scale=2: bodies is a list, found \"x\", expected an index"},
    {"bodies.-1.scale=2", "bodies is a list, found \"-1\", expected an index"},
    {"time.step.x=2", "--set time.step.x=2: time.step is neither an object nor a list"},
    {"bodies.0.pins.0.select=all", "bodies.0.pins is not in the scene, so it has no entry 0"},
    {"bodies.0.translate=[1,2",
     "--set bodies.0.translate=[1,2:1:5: found the end of the text, expected ',' or ']'"},
    {"bodies.0.translate={\"a\": 1, \"a\": 2}", "bodies[0].translate: the key \"a\" appears twice"},
    {"time.stp=3",
     "test.json: time.stp: unknown key \"stp\"; did you mean \"step\"? (from --set time.stp=3)"},
    {"solver.newton.x=3", "solver.newton: unknown key \"newton\""},
    {"time.step=fast", "time.step: found \"fast\", expected a number above 0"},
    {"time.step=fast", "(from --set time.step=fast)"},
    {"time.step=", "time.step: found \"\", expected a number above 0"},
    {"contact.stiffness=5",
     "contact.model: missing, expected one of: penalty, barrier (from --set contact.stiffness=5)"},
    {"bodies=[]", "bodies: found a list of 0, expected a list of 1 to 10000 bodies (from --set bodies=[])"},
    {"solver.type=lemke",
     "unknown type \"lemke\", expected one of: newton, admm, compliant (from --set solver.type=lemke)"},
    {"a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a=1",
     "is deeper than 32 levels"},
};

START_TEST(mistakes_name_the_override)
{
    const char *texts[] = {"solver.tolerance=1e-6", cases[_i].text};
    ck_assert_int_eq(set(2, texts), VELA_ERROR_INVALID_INPUT);
    ck_assert_msg(strstr(vela_context_message(reading.context), cases[_i].message) != NULL, "'%s' lacks '%s'",
                  vela_context_message(reading.context), cases[_i].message);
}
END_TEST

START_TEST(mistakes_of_the_file_stay_its_own)
{
    const char *texts[] = {"time.duration=2"};
    char *text = edited_scene("\"step\": 0.01", "\"step\": 0");
    ck_assert_int_eq(scene_parse(reading.context, "test.json", text, strlen(text), 1, texts, &reading.arena,
                                 &reading.scene),
                     VELA_ERROR_INVALID_INPUT);
    ck_assert_ptr_nonnull(strstr(vela_context_message(reading.context), "time.step: found 0"));
    ck_assert_ptr_null(strstr(vela_context_message(reading.context), "--set"));
    free(text);
}
END_TEST

START_TEST(replaced_overrides_are_not_blamed)
{
    // The second replaces what the first put in; its own mistake is its own.
    const char *texts[] = {"solver={\"depth\": 2}", "solver.depth=3", "solver={\"depth\": 99}"};
    ck_assert_int_eq(set(3, texts), VELA_ERROR_INVALID_INPUT);
    ck_assert_ptr_nonnull(
        strstr(vela_context_message(reading.context), "(from --set solver={\"depth\": 99})"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("scene overrides");
    TCase *tests = tcase_create("overrides");
    tcase_add_checked_fixture(tests, start, stop);
    tcase_add_test(tests, values_arrive);
    tcase_add_loop_test(tests, mistakes_name_the_override, 0, (int)(sizeof cases / sizeof cases[0]));
    tcase_add_test(tests, mistakes_of_the_file_stay_its_own);
    tcase_add_test(tests, replaced_overrides_are_not_blamed);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
