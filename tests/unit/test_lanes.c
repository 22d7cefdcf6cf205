// Logarithm and exponential against the C library, and the small operations, on every instruction set.
#include "check_main.h"
#include "formula_kernels.h"

#include <float.h>
#include <string.h>

enum { BLOCKS = 4096, COUNT = BLOCKS * LANE_COUNT };

static Lanes input[BLOCKS], output[3][BLOCKS];

static uint64_t random_state = 88172645463325252ULL;

static uint64_t random_bits(void)
{
    random_state ^= random_state << 13, random_state ^= random_state >> 7, random_state ^= random_state << 17;
    return random_state * 0x2545f4914f6cdd1dULL;
}

static double random_between(double low, double high)
{
    return low + (high - low) * ((double)(random_bits() >> 11) * 0x1p-53);
}

static double from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/// Distance in units of the last place of `expected`; 0 for equal or both NaN.
static double ulps(double value, long double expected)
{
    const double rounded = (double)expected;
    if (value == rounded || (isnan(value) && isnan(rounded)))
        return 0;
    if (!isfinite(value) || !isfinite(rounded))
        return INFINITY;
    int exponent;
    frexp(rounded, &exponent);
    const double unit = ldexp(1.0, (exponent < -1021 ? -1021 : exponent) - 53);
    return (double)(fabsl((long double)value - expected) / unit);
}

static void fill_log_input(void)
{
    static const double special[] = {0.0,
                                     -0.0,
                                     1.0,
                                     -1.0,
                                     INFINITY,
                                     -INFINITY,
                                     NAN,
                                     DBL_MAX,
                                     DBL_MIN,
                                     DBL_TRUE_MIN,
                                     0x1p-1023,
                                     0.5,
                                     2.0,
                                     0x1.6a09e667f3bcdp-1,
                                     0x1.6a09e667f3bccp-1,
                                     -DBL_TRUE_MIN};
    double *x = (double *)input;
    for (int i = 0; i < COUNT; ++i) {
        if (i < (int)(sizeof special / sizeof *special))
            x[i] = special[i];
        else if (i % 4 == 0)
            x[i] = from_bits(random_bits() >> 1); // any positive pattern: the whole range, NaN and infinities
        else if (i % 4 == 1)
            x[i] = from_bits(random_bits() >> 12); // subnormal
        else if (i % 4 == 2)
            x[i] = random_between(0.4, 2.5);
        else
            x[i] = 1.0 + ldexp(random_between(-1, 1), -(int)(random_bits() % 50));
    }
}

START_TEST(log_is_within_one_ulp)
{
    fill_log_input();
    const FormulaKernels *list[3];
    const int count = formula_kernels_list(list);
    list[0]->log(BLOCKS, input, output[0]);
    double worst = 0;
    for (int i = 0; i < COUNT; ++i) {
        const double x = ((double *)input)[i], y = ((double *)output[0])[i];
        const double error = ulps(y, logl(x));
        ck_assert_msg(error < 1.0, "log(%a) = %a, off by %g ulp", x, y, error);
        worst = fmax(worst, error);
    }
    printf("log: largest error %.3f ulp\n", worst);
    for (int k = 1; k < count; ++k) {
        list[k]->log(BLOCKS, input, output[k]);
        ck_assert_msg(memcmp(output[0], output[k], sizeof output[0]) == 0, "log: %s gives other bits",
                      list[k]->name);
    }
}
END_TEST

START_TEST(exp_is_within_one_ulp)
{
    static const double special[] = {0.0,
                                     -0.0,
                                     1.0,
                                     INFINITY,
                                     -INFINITY,
                                     NAN,
                                     709.782712893384,
                                     709.7827128933841,
                                     -745.1332191019411,
                                     -745.1332191019412,
                                     -708.4,
                                     1e308,
                                     -1e308,
                                     1e-320};
    double *x = (double *)input;
    for (int i = 0; i < COUNT; ++i) {
        if (i < (int)(sizeof special / sizeof *special))
            x[i] = special[i];
        else if (i % 4 == 0)
            x[i] = random_between(-760, 720);
        else if (i % 4 == 1)
            x[i] = random_between(-746, -700); // towards subnormal results
        else
            x[i] = ldexp(random_between(-2, 2), -(int)(random_bits() % 40));
    }
    const FormulaKernels *list[3];
    const int count = formula_kernels_list(list);
    list[0]->exp(BLOCKS, input, output[0]);
    double worst = 0;
    for (int i = 0; i < COUNT; ++i) {
        const double y = ((double *)output[0])[i];
        const double error = ulps(y, expl(x[i]));
        ck_assert_msg(error < 1.0, "exp(%.17g) = %a, off by %g ulp", x[i], y, error);
        worst = fmax(worst, error);
    }
    printf("exp: largest error %.3f ulp\n", worst);
    for (int k = 1; k < count; ++k) {
        list[k]->exp(BLOCKS, input, output[k]);
        ck_assert_msg(memcmp(output[0], output[k], sizeof output[0]) == 0, "exp: %s gives other bits",
                      list[k]->name);
    }
}
END_TEST

START_TEST(small_operations)
{
    const Lanes a = {1, -2, 3, NAN, 0, -0.0, INFINITY, 5}, b = {2, -3, 3, 1, -0.0, 7, 1, NAN};
    const LaneMask less = lanes_less(a, b), equal = lanes_equal(a, b), greater = lanes_greater_equal(a, b);
    const Lanes picked = lanes_select(less, a, b), largest = lanes_max(a, b), smallest = lanes_min(a, b);
    const Lanes sign = lanes_copysign(a, b), root = lanes_sqrt(lanes_abs(a));
    for (int i = 0; i < LANE_COUNT; ++i) {
        ck_assert_int_eq(less[i], a[i] < b[i] ? -1 : 0);
        ck_assert_int_eq(equal[i], a[i] == b[i] ? -1 : 0);
        ck_assert_int_eq(greater[i], a[i] >= b[i] ? -1 : 0);
        ck_assert(picked[i] == (a[i] < b[i] ? a[i] : b[i]) || isnan(b[i]));
        ck_assert(largest[i] == (a[i] > b[i] ? a[i] : b[i]) || isnan(b[i]));
        ck_assert(smallest[i] == (a[i] < b[i] ? a[i] : b[i]) || isnan(b[i]));
        ck_assert(isnan(a[i]) || sign[i] == copysign(a[i], b[i]));
        ck_assert(isnan(a[i]) || root[i] == sqrt(fabs(a[i])));
    }
    for (int i = 0; i < LANE_COUNT; ++i) {
        LaneMask mask = {0};
        ck_assert(!lanes_any(mask));
        mask[i] = -1;
        ck_assert(lanes_any(mask));
    }
}
END_TEST

/// All directions, nearly along the axes, and sizes from 1e-100 to 1e100; log(1 + x) of small and of any x.
START_TEST(angles_and_log1p)
{
    double worst = 0, worst_log = 0;
    for (int i = 0; i < 20000; ++i) {
        const double angle = i % 3 == 0
                                 ? random_between(-3.14159265358979, 3.14159265358979)
                                 : (i % 4) * 1.5707963267948966 + ldexp(random_between(-1, 1), -(i % 50)),
                     size = pow(10, random_between(-100, 100)), x = size * cos(angle), y = size * sin(angle);
        const Lanes result = lanes_atan2(lanes_set(y), lanes_set(x));
        worst = fmax(worst, ulps(result[0], atan2l(y, x)));
        const Pack small =
            pack_set(i % 2 == 0 ? ldexp(random_between(-0.5, 0.5), -(i % 60)) : random_between(-0.99, 9));
        worst_log = fmax(worst_log, ulps(pack_log1p(small)[0], log1pl((long double)small[0])));
    }
    printf("atan2: largest error %.2f ulp; log1p: %.2f ulp\n", worst, worst_log);
    ck_assert_double_lt(worst, 6);
    ck_assert_double_lt(worst_log, 4);
    ck_assert_double_eq(lanes_atan2(lanes_set(0), lanes_set(0))[0], 0);
    ck_assert_double_eq(lanes_atan2(lanes_set(0), lanes_set(-2))[0], 3.14159265358979323846);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lanes");
    TCase *cases = tcase_create("lanes");
    tcase_add_test(cases, log_is_within_one_ulp);
    tcase_add_test(cases, exp_is_within_one_ulp);
    tcase_add_test(cases, angles_and_log1p);
    tcase_add_test(cases, small_operations);
    suite_add_tcase(suite, cases);
    return test_run(suite);
}
