// A host program in a locale with a decimal comma: scenes, meshes, diagnostics and run.json read and written as ever.
#define _DEFAULT_SOURCE
#include "check_main.h"

#include "base/file.h"
#include "vela/vela.h"

#include <locale.h>
#include <string.h>

#define FOLDER BINARY_DIR "/test_locale"

static const char scene_text[] =
    "{\"version\": 1, \"name\": \"tet\", \"time\": {\"step\": \"1/100\", \"duration\": 0.03},\n"
    " \"materials\": {\"m\": {\"model\": \"arap\", \"density\": 1000, \"kappa\": 12345.5}},\n"
    " \"bodies\": [{\"geometry\": {\"mesh\": \"tet.mesh\"}, \"material\": \"m\", \"translate\": [0, 0.25, 0]}]}\n";
static const char mesh_text[] =
    "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n0.5 0 0 0\n0 0.5 0 0\n"
    "0 0 0.5 0\nTetrahedra\n1\n1 2 3 4 0\nEnd\n";

static void write_text(VelaContext *context, const char *path, const char *text)
{
    ASSERT_OK(context, file_write(context, path, text, strlen(text)));
}

START_TEST(decimal_comma)
{
    VelaContext *context = test_context();
    ASSERT_OK(context, file_make_folder(context, FOLDER));
    write_text(context, FOLDER "/scene.json", scene_text);
    write_text(context, FOLDER "/tet.mesh", mesh_text);
    VelaSceneReport report;
    ASSERT_OK(context, vela_check(context, FOLDER "/scene.json", 0, NULL, &report));
    ck_assert_double_eq_tol(report.mass, 1000 * 0.125 / 6, 1e-9);

    VelaRunDef def = vela_default_run_def();
    def.scene = FOLDER "/scene.json";
    def.output = FOLDER "/run";
    def.device = "cpu";
    def.render = false;
    ASSERT_OK(context, vela_run(context, &def, NULL));
    ASSERT_OK(context, vela_plot(context, 1, (const char *const[]){FOLDER "/run"}, NULL));
    ASSERT_OK(context, vela_export(context, FOLDER "/run", "obj", NULL));

    Arena arena = arena_make(context);
    char *text;
    size_t size;
    ASSERT_OK(context, file_read(context, FOLDER "/run/diagnostics.csv", &arena, &text, &size));
    ck_assert_msg(strstr(text, "\n1,0.01,") != NULL, "%s", text);
    ASSERT_OK(context, file_read(context, FOLDER "/run/run.json", &arena, &text, &size));
    ck_assert_msg(strstr(text, "\"time_step\": 0.01") != NULL, "%s", text);
    ASSERT_OK(context, file_read(context, FOLDER "/run/obj/000000.obj", &arena, &text, &size));
    ck_assert_msg(strstr(text, "v 0.5 0.25 0") != NULL, "%s", text);
    arena_clear(&arena);

    // The caller's locale is as it was.
    char number[8];
    snprintf(number, sizeof number, "%.1f", 0.5);
    ck_assert_str_eq(number, "0,5");
    vela_context_destroy(context);
}
END_TEST

int main(void)
{
    const char make[] = "mkdir -p '" FOLDER "/locale' && localedef -i de_DE -f ISO-8859-1 '" FOLDER
                        "/locale/de_DE' >/dev/null 2>&1";
    // localedef also ends with 1 after mere warnings: what counts is whether the locale can be used.
    const int made = system(make);
    setenv("LOCPATH", FOLDER "/locale", 1);
    if (!setlocale(LC_ALL, "de_DE")) {
        printf("skipped: a locale with a decimal comma cannot be made here (localedef: %d)\n", made);
        return 77;
    }
    Suite *suite = suite_create("numeric_locale");
    TCase *tests = tcase_create("numeric_locale");
    tcase_add_test(tests, decimal_comma);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
