// ADMM's local problem of variational damping for one kind of element (admm/damping_copies.h): a part of terms/damping_kernels.h for kinds
// whose corners, but one, are as many as the columns of D x.
//
// A step from F_k, whose F lies at F_k + (Z - F_k)/alpha at its end where the stage has Z, has the energy c w psi(Y) with Y that F less the
// stretch of F_k: Y = (F_k + (Z - F_k)/alpha) P, P = (F_k^T F_k)^-1/2, as psi does not see rotations on either side. So D stays what it is,
// and with A = P/alpha and B = (1 - 1/alpha) F_k P the problem is to minimise c w psi(Z A + B) + rho/2 |Z - S|^2: Newton's method with the
// projected Hessian, as an element whose shape gradients are A has it, and a line search.

/// What is kept of an element, in ElementBundles.damping: A, B and c w.
#define VARIATIONAL_B (ELEMENT_COLUMNS * ELEMENT_COLUMNS)
#define VARIATIONAL_WEIGHT (VARIATIONAL_B + ELEMENT_SIZE)

/// A stretch at the start that is below this part of the largest one: the element damps nothing in the step.
#define VARIATIONAL_FLAT 1e-9

static void ELEMENT_FUNCTION(variational_prepare)(ElementBundles *bundles, int32_t first, int32_t end,
                                                  const double *base, double alpha, double factor)
{
    enum { N = ELEMENT_COLUMNS };
    for (int32_t b = first; b < end; ++b) {
        Lanes *data = bundles->damping + (size_t)(ELEMENT_SIZE * (ELEMENT_SIZE + 1) / 2) * (size_t)b,
              *own = bundles->base + (size_t)ELEMENT_SIZE * (size_t)b;
        ELEMENT_FUNCTION(Damped) at;
        Lanes s[N], dyad[ELEMENT_SIZE], least = lanes_set(INFINITY), most = lanes_set(0);
        double time = 0;
        for (const Damping *entry = damping_first(bundles->materials[b].damping);
             entry != damping_end(bundles->materials[b].damping); ++entry)
            time += entry->type == DAMPING_VARIATIONAL ? entry->time : 0;
        ELEMENT_FUNCTION(damped_bundle)(bundles, b, base, &at);
        memcpy(own, at.f[0], sizeof at.f[0]);
        for (int part = 0; part < PACKS_PER_LANES; ++part) {
            Pack stretches[N];
            ELEMENT_FUNCTION(stretches)(&at.local, part, stretches);
            packs_store(stretches, part, N, s);
        }
        for (int k = 0; k < N; ++k) {
            least = lanes_min(least, lanes_abs(s[k]));
            most = lanes_max(most, lanes_abs(s[k]));
        }
        const LaneMask has_shape = lanes_less(VARIATIONAL_FLAT * most, least);
        for (int k = 0; k < VARIATIONAL_WEIGHT; ++k)
            data[k] = lanes_set(0);
        for (int k = 0; k < N; ++k) { // P = sum v v^T/s, F_k P = sum u v^T
            ELEMENT_FUNCTION(dyad)(&at.local, k, dyad);
            const Lanes inverse = 1.0 / (alpha * lanes_select(has_shape, s[k], lanes_set(1)));
            for (int i = 0; i < N; ++i)
                for (int j = 0; j < N; ++j)
                    for (int row = 0; row < 3; ++row)
                        data[N * i + j] += inverse * dyad[N * row + i] * dyad[N * row + j];
            for (int i = 0; i < ELEMENT_SIZE; ++i)
                data[VARIATIONAL_B + i] += (1 - 1 / alpha) * dyad[i];
        }
        data[VARIATIONAL_WEIGHT] = lanes_select(has_shape, factor * time * bundles->volumes[b], lanes_set(0));
    }
}

// Y at z, decomposed.
LANES_OUTLINE void ELEMENT_FUNCTION(relative_shape)(const ElementBundles *bundles, int32_t b,
                                                    const Lanes *data, const Lanes z[ELEMENT_SIZE],
                                                    ELEMENT_LOCAL *local)
{
    enum { N = ELEMENT_COLUMNS };
    Lanes y[1][ELEMENT_SIZE];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < N; ++j) {
            Lanes sum = data[VARIATIONAL_B + N * i + j];
            for (int k = 0; k < N; ++k)
                sum += z[N * i + k] * data[N * k + j];
            y[0][N * i + j] = sum;
        }
    ELEMENT_FUNCTION(damped_decompose)(bundles, b, (const Lanes(*)[ELEMENT_SIZE])y, local);
}

// c w psi + rho/2 |z - s|^2 at a decomposed shape.
LANES_INLINE Lanes ELEMENT_FUNCTION(variational_value)(const ElementBundles *bundles, int32_t b,
                                                       const Lanes *data, const Lanes s[ELEMENT_SIZE],
                                                       const Lanes z[ELEMENT_SIZE],
                                                       const ELEMENT_LOCAL *local)
{
    const Lanes zero = lanes_set(0), weight = data[VARIATIONAL_WEIGHT];
    Lanes square = zero;
    for (int k = 0; k < ELEMENT_SIZE; ++k)
        square += (z[k] - s[k]) * (z[k] - s[k]);
    const Lanes density = ELEMENT_FUNCTION(density)(&bundles->materials[b].material, local);
    return lanes_select(lanes_less(zero, weight), weight * density, zero) +
           0.5 * bundles->penalties[b] * square;
}

// The gradient over z, and Newton's direction d with the projected Hessian; d . gradient.
static Lanes ELEMENT_FUNCTION(variational_direction)(const ElementBundles *bundles, int32_t b,
                                                     const Lanes *data, const Lanes s[ELEMENT_SIZE],
                                                     const Lanes z[ELEMENT_SIZE], const ELEMENT_LOCAL *local,
                                                     Lanes d[ELEMENT_SIZE])
{
    enum { N = ELEMENT_COLUMNS, SIZE = ELEMENT_SIZE };
    const ElementMaterial *material = &bundles->materials[b].material;
    Lanes p[SIZE], g[SIZE], slope = lanes_set(0);
    ELEMENT_FUNCTION(stress)(material, local, p);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < N; ++j) {
            Lanes sum = p[N * i] * data[j];
            for (int k = 1; k < N; ++k)
                sum += p[N * i + k] * data[N * k + j]; // A is symmetric
            g[N * i + j] =
                data[VARIATIONAL_WEIGHT] * sum + bundles->penalties[b] * (z[N * i + j] - s[N * i + j]);
        }
    for (int part = 0; part < PACKS_PER_LANES; ++part) {
        Pack A[VARIATIONAL_B], K[ELEMENT_PAIRS][9], L[SIZE * SIZE], x[SIZE], weight, rho;
        packs_load(data, part, VARIATIONAL_B, A);
        packs_load(&data[VARIATIONAL_WEIGHT], part, 1, &weight);
        packs_load(&bundles->penalties[b], part, 1, &rho);
        packs_load(g, part, SIZE, x);
        ELEMENT_FUNCTION(hessian)(material, local, part, A, weight, true, K);
        memset(L, 0, sizeof L);
        ELEMENT_FUNCTION(add_axis_blocks)((const Pack(*)[9])K, L);
        for (int i = 0; i < SIZE; ++i) { // Cholesky's factor and the forward part
            for (int j = 0; j <= i; ++j) {
                Pack sum = L[SIZE * i + j] + (i == j ? rho : pack_set(0.0));
                for (int k = 0; k < j; ++k)
                    sum -= L[SIZE * i + k] * L[SIZE * j + k];
                L[SIZE * i + j] = i == j ? pack_sqrt(sum) : sum / L[SIZE * j + j];
            }
            for (int k = 0; k < i; ++k)
                x[i] -= L[SIZE * i + k] * x[k];
            x[i] /= L[SIZE * i + i];
        }
        for (int i = SIZE - 1; i >= 0; --i) {
            for (int k = i + 1; k < SIZE; ++k)
                x[i] -= L[SIZE * k + i] * x[k];
            x[i] /= L[SIZE * i + i];
        }
        packs_store(x, part, SIZE, d);
    }
    for (int k = 0; k < SIZE; ++k) {
        d[k] = -d[k];
        slope += d[k] * g[k];
    }
    return slope;
}

// Where the search starts: at the last Z if that is lower than the shape at the step's start, where psi is 0.
static Lanes ELEMENT_FUNCTION(variational_start)(const ElementBundles *bundles, int32_t b, const Lanes *data,
                                                 const Lanes s[ELEMENT_SIZE], Lanes z[ELEMENT_SIZE])
{
    const Lanes *base = bundles->base + (size_t)ELEMENT_SIZE * (size_t)b,
                *last = bundles->projected + (size_t)ELEMENT_SIZE * (size_t)b;
    ELEMENT_LOCAL local;
    ELEMENT_FUNCTION(relative_shape)(bundles, b, data, last, &local);
    const Lanes value = ELEMENT_FUNCTION(variational_value)(bundles, b, data, s, last, &local);
    ELEMENT_FUNCTION(relative_shape)(bundles, b, data, base, &local);
    const Lanes other = ELEMENT_FUNCTION(variational_value)(bundles, b, data, s, base, &local);
    const LaneMask is_lower = lanes_less(value, other);
    for (int k = 0; k < ELEMENT_SIZE; ++k)
        z[k] = lanes_select(is_lower, last[k], base[k]);
    return lanes_select(is_lower, value, other);
}

static void ELEMENT_FUNCTION(variational_prox)(const ElementBundles *bundles, int32_t b,
                                               const Lanes s[ELEMENT_SIZE], Lanes z[ELEMENT_SIZE])
{
    enum { ITERATIONS_MOST = 60, HALVINGS_MOST = 40 };
    const Lanes *data = bundles->damping + (size_t)(ELEMENT_SIZE * (ELEMENT_SIZE + 1) / 2) * (size_t)b,
                zero = lanes_set(0), one = lanes_set(1);
    Lanes value = ELEMENT_FUNCTION(variational_start)(bundles, b, data, s, z), size = zero,
          last = lanes_set(INFINITY);
    for (int k = 0; k < ELEMENT_SIZE; ++k)
        size += s[k] * s[k];
    ELEMENT_LOCAL local;
    ELEMENT_FUNCTION(relative_shape)(bundles, b, data, z, &local);
    LaneMask done = lanes_less(one, zero);
    for (int i = 0; i < ITERATIONS_MOST && lanes_any(~done); ++i) {
        Lanes d[ELEMENT_SIZE], trial[ELEMENT_SIZE], at = value, step = one, way = zero;
        const Lanes slope = ELEMENT_FUNCTION(variational_direction)(bundles, b, data, s, z, &local, d);
        Lanes length = zero;
        for (int k = 0; k < ELEMENT_SIZE; ++k)
            length += d[k] * d[k];
        // The value cannot tell steps this short apart; the projected Hessian is not less than the true one, so they lead on.
        LaneMask accepted = done | lanes_less_equal(length, 1e-12 * size);
        for (int halving = 0; halving < HALVINGS_MOST; ++halving) {
            for (int k = 0; k < ELEMENT_SIZE; ++k)
                trial[k] = lanes_select(done, z[k], z[k] + step * d[k]);
            ELEMENT_FUNCTION(relative_shape)(bundles, b, data, trial, &local);
            at = ELEMENT_FUNCTION(variational_value)(bundles, b, data, s, trial, &local);
            accepted |= lanes_less_equal(at, value + 1e-4 * step * slope);
            if (!lanes_any(~accepted))
                break;
            step = lanes_select(accepted, step, 0.5 * step);
        }
        for (int k = 0; k < ELEMENT_SIZE; ++k) {
            way += (trial[k] - z[k]) * (trial[k] - z[k]);
            z[k] = lanes_select(accepted, trial[k], z[k]);
        }
        value = lanes_select(accepted, at, value);
        done |= ~accepted | lanes_less_equal(way, 1e-26 * size) |
                (lanes_less_equal(way, 1e-20 * size) & lanes_less_equal(0.25 * last, way));
        last = way;
    }
}

static void ELEMENT_FUNCTION(variational_project)(ElementBundles *bundles, int32_t first, int32_t end,
                                                  const Mixing *mixing, double *change_sq)
{
    Lanes changes = lanes_set(0), s[ELEMENT_SIZE], z[ELEMENT_SIZE];
    for (int32_t b = first; b < end; ++b) {
        ELEMENT_FUNCTION(mix_state)(bundles, b, mixing, s);
        ELEMENT_FUNCTION(variational_prox)(bundles, b, s, z);
        changes += ELEMENT_FUNCTION(keep_projection)(bundles, b, s, z);
    }
    *change_sq = lanes_sum(changes);
}

#undef VARIATIONAL_B
#undef VARIATIONAL_WEIGHT
#undef VARIATIONAL_FLAT
