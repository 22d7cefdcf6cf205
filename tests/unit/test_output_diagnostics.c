// diagnostics.csv: the columns of the interface, %.17g there and back, empty fields, cutting back, broken
// files.
#define _DEFAULT_SOURCE
#include "output_fixture.h"

#include "base/file.h"
#include "output/diagnostics.h"

static const char COLUMNS[] =
    "step,time,kinetic,elastic,gravitational,contact,constraint,total,target,dissipated,alpha,px,py,pz,lx,ly,"
    "lz,cx,cy,cz,"
    "min_det_f,min_distance,iterations,linear_iterations,primal_residual,dual_residual,step_ms";

static DiagnosticsRow row_of(int64_t step)
{
    DiagnosticsRow row = diagnostics_empty_row(step, (double)step / 3);
    row.kinetic = 1.0 / (double)(step + 3);
    row.total = -2e-300 * (double)step;
    row.linear_momentum[1] = 4;
    row.center[2] = 7;
    row.iterations = 12 + step;
    row.step_ms = 1.5;
    row.alpha_case = "root";
    row.substeps = 1;
    row.stop = "tolerance";
    row.step_length = 0.25;
    row.loads = -3;
    row.work = 0.5;
    row.dissipated_by[2] = 6;
    row.lost_in_time = 9;
    row.constraint_error = 0.125;
    return row;
}

static void write_rows(VelaContext *context, const char *folder, int64_t first, int64_t end, bool append)
{
    StepTable writer;
    ASSERT_OK(context, diagnostics_open(&writer, context, folder, append));
    for (int64_t i = first; i < end; ++i) {
        const DiagnosticsRow row = row_of(i);
        ASSERT_OK(context, diagnostics_write(&writer, &row));
    }
    step_table_close(&writer);
}

static const char *read_text(VelaContext *context, Arena *arena, const char *folder)
{
    char path[RUN_PATH_CAPACITY], *text;
    size_t size;
    ASSERT_OK(context, run_path(context, folder, "diagnostics.csv", path));
    ASSERT_OK(context, file_read(context, path, arena, &text, &size));
    return text;
}

START_TEST(writes_the_interface)
{
    VelaContext *context = test_context();
    Arena arena = arena_make(context);
    char folder[RUN_PATH_CAPACITY];
    fixture_run(context, "diagnostics", 0, folder);
    write_rows(context, folder, 0, 2, false);
    const char *text = read_text(context, &arena, folder);
    ck_assert_int_eq(strncmp(text, COLUMNS, strlen(COLUMNS)), 0);
    ck_assert_str_eq(
        text + strlen(COLUMNS),
        ",alpha_case,substeps,stop,step_length,loads,work,dissipated_friction,"
        "dissipated_strain_rate,dissipated_rayleigh,dissipated_principal_strain,dissipated_power_law,"
        "dissipated_spline,dissipated_variational,dissipated_air,lost_in_time,constraint_error\n"
        "0,0,0.33333333333333331,,,,,-0,,,,,4,,,,,,,7,,,12,,,,1.5,root,1,tolerance,0.25,-3,0.5,,,6,,,,,,9,0.125\n"
        "1,0.33333333333333331,0.25,,,,,-2.0000000000000001e-300,,,,,4,,,,,,,7,,,13"
        ",,,,1.5,root,1,tolerance,0.25,-3,0.5,,,6,,,,,,9,0.125\n");
    DiagnosticsTable table;
    ASSERT_OK(context, diagnostics_read(context, folder, &arena, &table));
    ck_assert_int_eq(table.row_count, 2);
    ck_assert_int_eq(table.column_count, 43);
    ck_assert_double_eq(table.values[43 + diagnostics_column(&table, "time")], 1.0 / 3);
    ck_assert_double_eq(table.values[43 + diagnostics_column(&table, "total")], -2e-300);
    ck_assert(isnan(table.values[diagnostics_column(&table, "elastic")]));
    ck_assert(isnan(table.values[diagnostics_column(&table, "stop")]));
    ck_assert_int_eq(diagnostics_column(&table, "no such column"), -1);
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

START_TEST(resuming_gives_the_same_bytes)
{
    VelaContext *context = test_context();
    Arena arena = arena_make(context);
    char folder[RUN_PATH_CAPACITY];
    fixture_run(context, "resuming", 0, folder);
    write_rows(context, folder, 0, 20, false);
    const char *whole = read_text(context, &arena, folder);
    for (int64_t step = 0; step < 20; ++step) {
        // Seven rows too many and half of one more, as a kill may leave them.
        char path[RUN_PATH_CAPACITY];
        ASSERT_OK(context, run_path(context, folder, "diagnostics.csv", path));
        FILE *file = fopen(path, "ab");
        fputs("20,6.66", file);
        fclose(file);
        ASSERT_OK(context, diagnostics_truncate(context, folder, step));
        write_rows(context, folder, step + 1, 20, true);
        ck_assert_str_eq(read_text(context, &arena, folder), whole);
    }
    // Half a row is not a row.
    touch(folder, "diagnostics.csv", whole);
    char path[RUN_PATH_CAPACITY];
    ASSERT_OK(context, run_path(context, folder, "diagnostics.csv", path));
    ck_assert_int_eq(truncate(path, (off_t)strlen(whole) - 1), 0);
    DiagnosticsTable table;
    ASSERT_OK(context, diagnostics_read(context, folder, &arena, &table));
    ck_assert_int_eq(table.row_count, 19);
    ck_assert(table.is_cut_off);
    ASSERT_FAILS(context, VELA_ERROR_INVALID_INPUT, "ends before step 19",
                 diagnostics_truncate(context, folder, 19));
    ASSERT_OK(context, diagnostics_truncate(context, folder, 18));
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

START_TEST(refuses_broken_tables)
{
    VelaContext *context = test_context();
    Arena arena = arena_make(context);
    char folder[RUN_PATH_CAPACITY];
    fixture_run(context, "broken", 0, folder);
    static const char *const cases[][2] = {
        {"", "line 1"},
        {"a,b,c\n", "line 1: found 'a,b,c"},
        {"step,time,total\n0,0,1\n1,x,2\n", "line 3, column time: found 'x', expected a number"},
        {"step,time,total\n0,0\n", "line 2: found 2 fields, expected 3"},
        {"step,time,total\n0,0,1,2\n", "line 2: more fields"},
    };
    DiagnosticsTable table;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        touch(folder, "diagnostics.csv", cases[i][0]);
        ASSERT_FAILS(context, VELA_ERROR_INVALID_INPUT, cases[i][1],
                     diagnostics_read(context, folder, &arena, &table));
        ck_assert_int_eq(diagnostics_truncate(context, folder, 0), VELA_ERROR_INVALID_INPUT);
    }
    // Windows line ends, as a spreadsheet leaves them, are read.
    touch(folder, "diagnostics.csv", "step,time,total\r\n0,0.5,1\r\n");
    ASSERT_OK(context, diagnostics_read(context, folder, &arena, &table));
    ck_assert_double_eq(table.values[2], 1);
    // Rows out of order cannot be cut back to.
    char text[2048];
    snprintf(
        text, sizeof text,
        "%s,alpha_case,substeps,stop,step_length,loads,work,dissipated_friction,"
        "dissipated_strain_rate,dissipated_rayleigh,dissipated_principal_strain,dissipated_power_law,"
        "dissipated_spline,dissipated_variational,dissipated_air,lost_in_time,constraint_error\n0,\n2,\n",
        COLUMNS);
    touch(folder, "diagnostics.csv", text);
    ASSERT_FAILS(context, VELA_ERROR_INVALID_INPUT, "line 3: found '2,",
                 diagnostics_truncate(context, folder, 1));
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

START_TEST(errors_of_writing)
{
    VelaContext *context = test_context();
    StepTable writer;
    ASSERT_FAILS(context, VELA_ERROR_IO, "No such file",
                 diagnostics_open(&writer, context, "/no/such/folder", false));
    // /dev/full takes no bytes: the row is refused with the disk's reason.
    char folder[RUN_PATH_CAPACITY], path[RUN_PATH_CAPACITY];
    fixture_run(context, "full_diagnostics", 0, folder);
    ASSERT_OK(context, run_path(context, folder, "diagnostics.csv", path));
    ck_assert_int_eq(symlink("/dev/full", path), 0);
    ASSERT_OK(context, diagnostics_open(&writer, context, folder, true));
    const DiagnosticsRow row = row_of(3);
    ASSERT_FAILS(context, VELA_ERROR_IO, "step 3 cannot be written: No space left",
                 diagnostics_write(&writer, &row));
    step_table_close(&writer);
    unlink(path);
    vela_context_destroy(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("output diagnostics");
    TCase *tests = tcase_create("diagnostics");
    tcase_add_test(tests, writes_the_interface);
    tcase_add_test(tests, resuming_gives_the_same_bytes);
    tcase_add_test(tests, refuses_broken_tables);
    tcase_add_test(tests, errors_of_writing);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
