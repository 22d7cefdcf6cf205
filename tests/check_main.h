/// What every Check program of vela shares: one suite, run in this process, and a context that prints its log.
#ifndef TESTS_CHECK_MAIN_H
#define TESTS_CHECK_MAIN_H

#include "vela/context.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

// Check writes to a file where every assertion has been that holds, a system call each: half of the time of tests that compare a million numbers.
// Here only those that fail say where.
#undef ck_assert
#undef ck_assert_msg
#define ck_assert(expression) ck_assert_msg(expression, "Assertion '%s' failed", #expression)
#define ck_assert_msg(expression, ...) ((expression) ? (void)0 : ck_abort_msg(__VA_ARGS__))

static inline void test_log(void *user, VelaLogLevel level, const char *message)
{
    (void)user;
    if (level <= VELA_LOG_WARNING)
        fprintf(stderr, "%s\n", message);
}

static inline VelaContext *test_context(void)
{
    VelaContextDef def = vela_default_context_def();
    def.log = test_log;
    VelaContext *context;
    ck_assert_int_eq(vela_context_create(&def, &context), VELA_OK);
    return context;
}

/// ck_assert that prints vela's own message.
#define ASSERT_OK(context, expression)                                                                       \
    do {                                                                                                     \
        const VelaResult assert_result = (expression);                                                       \
        ck_assert_msg(assert_result == VELA_OK, "%s: %s", #expression, vela_context_message(context));       \
    } while (0)

/// Runs all cases in this process (so that sanitizers and OpenMP see one program), and frees the runner; the exit code of main. Check measures
/// no time then: CTest ends what takes too long (tests/CMakeLists.txt).
static inline int test_run_all(SRunner *runner)
{
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static inline int test_run(Suite *suite)
{
    return test_run_all(srunner_create(suite));
}

#endif
