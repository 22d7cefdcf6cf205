// The letter of theory.md section 5: the q, U, P, q', Y, W updates one after the other as they are written there, in the
// variable q with weights rho/4, without Anderson acceleration. The product runs the same method in another form (on
// the stage's variable, U and P in one, accelerated); both must come to the same step.
#include "reference_elements.h"

// The models of the published method are the first ones.
enum { MODELS = ENERGY_NEO_HOOKEAN + 1, STEPS = 5, TETS = 64, SURFACE = 64, ITERATIONS_MOST = 5000 };

static const double PROXIMAL_WEIGHT = 0.01; // c of the U update

/// Everything that the reference carries from step to step.
typedef struct Reference {
    const Model *model;
    double q[REFERENCE_UNKNOWNS], z[REFERENCE_UNKNOWNS];
    double G[TETS][4][3], weights[TETS], rho[TETS];
    double U[TETS][9], P[TETS][9], Y[TETS][9];
    double gaps[SURFACE], W[SURFACE]; ///< n.q' and W along the normal, of surface nodes
    double normal[3], offset, mu, stiffness;
    double matrix[REFERENCE_UNKNOWNS * REFERENCE_UNKNOWNS]; ///< Cholesky factor of A
} Reference;

// ---------------------------------------------------------------- small matrices

/// Eigenvalues and vectors (columns of V) of a symmetric matrix, by Jacobi rotations.
static void eigen_of_three(const double S[9], double values[3], double V[9])
{
    double A[9];
    memcpy(A, S, sizeof A);
    memcpy(V, (double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}, 9 * sizeof *V);
    for (int sweep = 0; sweep < 30; ++sweep)
        for (int p = 0; p < 2; ++p)
            for (int q = p + 1; q < 3; ++q) {
                if (A[3 * p + q] == 0)
                    continue;
                const double angle = 0.5 * atan2(2 * A[3 * p + q], A[3 * q + q] - A[3 * p + p]);
                double turn[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, back[9], product[9];
                turn[4 * p] = turn[4 * q] = cos(angle);
                turn[3 * p + q] = sin(angle), turn[3 * q + p] = -sin(angle);
                matrix3_transpose(turn, back);
                matrix3_multiply(A, turn, product);
                matrix3_multiply(back, product, A);
                matrix3_multiply(V, turn, V);
            }
    for (int i = 0; i < 3; ++i)
        values[i] = A[4 * i];
}

/// The rotation nearest to A: of A = U diag(s) V^T it is U V^T, the column of the smallest singular value flipped
/// where needed.
static void nearest_rotation(const double A[9], double R[9])
{
    double turned[9], square[9], values[3], V[9], u[3][3], v[3][3];
    matrix3_transpose(A, turned);
    matrix3_multiply(turned, A, square);
    eigen_of_three(square, values, V);
    int order[3] = {0, 1, 2};
    for (int i = 0; i < 2; ++i)
        for (int j = i + 1; j < 3; ++j)
            if (values[order[j]] > values[order[i]]) {
                const int swap = order[i];
                order[i] = order[j], order[j] = swap;
            }
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 3; ++k)
            v[i][k] = V[3 * k + order[i]];
    cross3(v[0], v[1], v[2]);
    for (int i = 0; i < 2; ++i)
        matrix3_apply(A, v[i], u[i]);
    normalize3(u[0]);
    add_scaled3(u[1], -dot3(u[0], u[1]), u[0], u[1]);
    normalize3(u[1]);
    cross3(u[0], u[1], u[2]);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            R[3 * i + j] = u[0][i] * v[0][j] + u[1][i] * v[1][j] + u[2][i] * v[2][j];
}

// ---------------------------------------------------------------- prox, K = w kappa

/// The positive root of (K + rho) s^4 - rho q s^3 - K = 0, by bisection.
static double prox_symmetric_dirichlet(double q, double K, double rho)
{
    double low = 0, high = 2 + fabs(q);
    for (int i = 0; i < 200; ++i) {
        const double s = 0.5 * (low + high);
        if ((K + rho) * s * s * s * s - rho * q * s * s * s - K < 0)
            low = s;
        else
            high = s;
    }
    return 0.5 * (low + high);
}

/// sum log s_i(L) = L by bisection, s_i the "+" root.
static void prox_neo_hookean(const double q[3], double K, double lambda, double rho, double s[3])
{
    const double b = rho / (K + rho), l = lambda / (K + rho), r = K / (K + rho);
    double high = INFINITY, low, step = 1;
    for (int i = 0; i < 3; ++i)
        high = fmin(high, q[i] > 0 ? (b * b * q[i] * q[i] + 4 * r) / (4 * l) : r / l);
    low = high - 1;
    for (int i = 0; i < 200; ++i) {
        const bool bracketed = step < 0;
        const double L = bracketed ? 0.5 * (low + high) : low;
        double sum = 0;
        for (int k = 0; k < 3; ++k) {
            const double root = b * b * q[k] * q[k] - 4 * (l * L - r);
            s[k] = 0.5 * (b * q[k] + sqrt(fmax(root, 0)));
            sum += log(s[k]);
        }
        if (!bracketed) { // step down until the sum is above L
            if (sum >= L)
                step = -1;
            else
                low = high - (step *= 2);
        } else if (sum > L) {
            low = L;
        } else {
            high = L;
        }
    }
}

static void prox(const MaterialDef *material, double weight, const double q[3], double rho, double s[3])
{
    const double K = weight * material->kappa;
    if (material->model == ENERGY_NEO_HOOKEAN) {
        prox_neo_hookean(q, K, weight * material->lambda, rho, s);
        return;
    }
    for (int i = 0; i < 3; ++i)
        switch (material->model) {
        case ENERGY_ARAP:
            s[i] = fmax(0, (rho * q[i] + K) / (rho + K));
            break;
        case ENERGY_SYMMETRIC_GRADIENT:
            s[i] = (rho * q[i] + sqrt(rho * rho * q[i] * q[i] + 4 * K * (K + rho))) / (2 * (K + rho));
            break;
        default:
            s[i] = prox_symmetric_dirichlet(q[i], K, rho);
        }
}

// ---------------------------------------------------------------- the method

/// out (3 node_count) += factor D_i^T S.
static void add_transposed(const Reference *r, int32_t tet, double factor, const double S[9], double *out)
{
    for (int a = 0; a < 4; ++a)
        for (int i = 0; i < 3; ++i)
            out[3 * r->model->groups[ELEMENT_TET].nodes[4 * tet + a] + i] +=
                factor * dot3(S + 3 * i, r->G[tet][a]);
}

/// A = M/h^2 + sum rho/4 D^T D + mu n n^T on surface nodes.
static void factor_matrix(Reference *r, double h)
{
    const Model *model = r->model;
    const int size = 3 * model->node_count;
    for (int i = 0; i < size; ++i)
        r->matrix[(size + 1) * i] = model->masses[i / 3] / (h * h);
    for (int32_t t = 0; t < model->groups[ELEMENT_TET].count; ++t)
        for (int a = 0; a < 4; ++a)
            for (int b = 0; b < 4; ++b)
                for (int k = 0; k < 3; ++k)
                    r->matrix[size * (3 * model->groups[ELEMENT_TET].nodes[4 * t + a] + k) +
                              3 * model->groups[ELEMENT_TET].nodes[4 * t + b] + k] +=
                        0.25 * r->rho[t] * dot3(r->G[t][a], r->G[t][b]);
    for (int32_t s = 0; s < model_surface_vertices(model) && model->penalty_count > 0; ++s)
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                r->matrix[size * (3 * surface_map_node(&model->surface.map, s) + i) +
                          3 * surface_map_node(&model->surface.map, s) + j] +=
                    r->mu * r->normal[i] * r->normal[j];
    ck_assert(dense_factor(r->matrix, size));
}

static void reference_start(const Simulation *simulation, Reference *r)
{
    const Model *model = r->model = &simulation->model;
    const double h = simulation->scene.step;
    ck_assert(3 * model->node_count <= REFERENCE_UNKNOWNS && model->groups[ELEMENT_TET].count <= TETS);
    ck_assert(model_surface_vertices(model) <= SURFACE && model->penalty_count <= 1 && model->pin_count == 0);
    for (int i = 0; i < 3 * model->node_count; ++i) {
        r->q[i] = model->initial_positions[i];
        r->z[i] = r->q[i] + h * model->initial_velocities[i];
    }
    for (int32_t t = 0; t < model->groups[ELEMENT_TET].count; ++t) {
        const MaterialDef *material = &model->scene->materials[model->groups[ELEMENT_TET].materials[t]];
        static const double psi11[MODELS] = {1, 4, 2, 2};
        r->weights[t] = reference_shape(model, t, r->G[t]);
        r->rho[t] = r->weights[t] * psi11[material->model] * material->kappa;
        if (material->model == ENERGY_NEO_HOOKEAN)
            r->rho[t] += r->weights[t] * material->lambda;
        memcpy(r->U[t], (double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}, sizeof r->U[t]); // F(q_0) = I
        memcpy(r->P[t], r->U[t], sizeof r->P[t]);
    }
    r->stiffness = simulation->scene.contact.stiffness;
    r->mu = r->stiffness / 4;
    PenaltyShape shape = {0};
    if (model->penalty_count > 0)
        model_penalty_shapes(model, 0, &shape);
    memcpy(r->normal, shape.normal, sizeof r->normal);
    r->offset = shape.offset;
    factor_matrix(r, h);
}

static void update_q(const Reference *r, double h, double *q)
{
    const Model *model = r->model;
    const int size = 3 * model->node_count;
    for (int i = 0; i < size; ++i)
        q[i] = model->masses[i / 3] * (r->z[i] / (h * h) + 0.5 * model->scene->gravity[i % 3]);
    for (int32_t t = 0; t < model->groups[ELEMENT_TET].count; ++t) {
        double UP[9], Fk[9];
        matrix3_multiply(r->U[t], r->P[t], UP);
        reference_gradient(model, t, (double(*)[3])r->G[t], r->q, Fk);
        add_transposed(r, t, -0.5, r->Y[t], q);
        add_transposed(r, t, 0.5 * r->rho[t], UP, q);
        add_transposed(r, t, -0.25 * r->rho[t], Fk, q);
    }
    for (int32_t s = 0; s < model_surface_vertices(model) && model->penalty_count > 0; ++s)
        add_scaled3(q + 3 * surface_map_node(&model->surface.map, s), r->mu * r->gaps[s] - r->W[s], r->normal,
                    q + 3 * surface_map_node(&model->surface.map, s));
    dense_solve(r->matrix, size, q);
}

/// U, P, Y of every element; returns the sum of |J - U P|^2.
static double update_elements(Reference *r, const double *middle)
{
    double residual_sq = 0;
    for (int32_t t = 0; t < r->model->groups[ELEMENT_TET].count; ++t) {
        const MaterialDef *material = &r->model->scene->materials[r->model->groups[ELEMENT_TET].materials[t]];
        double J[9], shifted[9], argument[9], Q[9], V[9], q[3], s[3], UP[9], turned[9];
        reference_gradient(r->model, t, r->G[t], middle, J);
        for (int k = 0; k < 9; ++k)
            shifted[k] = J[k] + r->Y[t][k] / r->rho[t];
        matrix3_multiply(shifted, r->P[t], argument);
        for (int k = 0; k < 9; ++k)
            argument[k] += PROXIMAL_WEIGHT * r->U[t][k];
        nearest_rotation(argument, r->U[t]);
        matrix3_transpose(r->U[t], turned);
        matrix3_multiply(turned, shifted, argument);
        for (int k = 0; k < 9; ++k)
            Q[k] = 0.5 * (argument[k] + argument[3 * (k % 3) + k / 3]);
        eigen_of_three(Q, q, V);
        prox(material, r->weights[t], q, r->rho[t], s);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                r->P[t][3 * i + j] = 0;
                for (int k = 0; k < 3; ++k)
                    r->P[t][3 * i + j] += V[3 * i + k] * s[k] * V[3 * j + k];
            }
        matrix3_multiply(r->U[t], r->P[t], UP);
        for (int k = 0; k < 9; ++k) {
            r->Y[t][k] += r->rho[t] * (J[k] - UP[k]);
            residual_sq += (J[k] - UP[k]) * (J[k] - UP[k]);
        }
    }
    return residual_sq;
}

/// n.q' and W of every surface node; returns the sum of (n.q - n.q')^2.
static double update_contact(Reference *r, const double *q)
{
    double residual_sq = 0;
    for (int32_t s = 0; s < model_surface_vertices(r->model) && r->model->penalty_count > 0; ++s) {
        const int32_t node = surface_map_node(&r->model->surface.map, s);
        const double along = dot3(r->normal, q + 3 * node), k = r->stiffness;
        const double b = along + r->W[s] / r->mu, b_k = dot3(r->normal, r->q + 3 * node);
        const bool outside = 0.5 * (b + b_k) >= r->offset;
        r->gaps[s] = outside ? b : (r->mu * b - k * (0.25 * b_k - 0.5 * r->offset)) / (r->mu + 0.25 * k);
        r->W[s] += r->mu * (along - r->gaps[s]);
        residual_sq += (along - r->gaps[s]) * (along - r->gaps[s]);
    }
    return residual_sq;
}

/// One step until nothing moves any more; returns the iterations.
static int reference_step(Reference *r, double h)
{
    const Model *model = r->model;
    const int size = 3 * model->node_count;
    double q[REFERENCE_UNKNOWNS], last[REFERENCE_UNKNOWNS] = {0}, middle[REFERENCE_UNKNOWNS],
                                  gradient[REFERENCE_UNKNOWNS];
    for (int32_t s = 0; s < model_surface_vertices(model) && model->penalty_count > 0; ++s)
        r->gaps[s] = dot3(r->normal, r->z + 3 * surface_map_node(&model->surface.map, s));
    int iterations = 0;
    for (double moved = 1, residual = 1; moved > 1e-14 || residual > 1e-12; ++iterations) {
        ck_assert_int_lt(iterations, ITERATIONS_MOST);
        update_q(r, h, q);
        for (int i = 0; i < size; ++i)
            middle[i] = 0.5 * (q[i] + r->q[i]);
        residual = sqrt(update_elements(r, middle) + update_contact(r, q));
        moved = largest_difference(q, last, (size_t)size);
        memcpy(last, q, sizeof q);
    }
    reference_potential(model, 0, middle, gradient);
    for (int i = 0; i < size; ++i) {
        r->z[i] = 2 * q[i] - r->q[i] - 0.5 * h * h * gradient[i] / model->masses[i / 3];
        r->q[i] = q[i];
    }
    return iterations;
}

START_TEST(letter_of_the_method)
{
    static Reference reference;
    const int model = _i % MODELS;
    const bool plane = _i / MODELS == 1;
    Simulation simulation;
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"gravity\": [1, -9.81, 2],"
        " \"solver\": {\"type\": \"admm\", \"tolerance\": 1e-12, \"max_iterations\": 5000, \"strict\": true},"
        " \"materials\": {\"m\": {\"model\": \"%s\", \"density\": 1000, %s}},"
        " \"bodies\": [{\"name\": \"b\", \"type\": \"solid\", \"geometry\": {\"box\": {\"size\": [0.4, 0.2, "
        "0.2], \"cells\": [3, 1, 1]}}, \"material\": \"m\", \"velocity\": [0.2, -1.5, 0.1], "
        "\"angular_velocity\": [9, 4, -6]}]%s}",
        model_name(model), stiffness_text(model, 8e3, 2e4),
        plane ? ", \"contact\": {\"model\": \"penalty\", \"stiffness\": 3000}, \"obstacles\": [{\"name\": "
                "\"a\", \"plane\": {\"point\": [0, -0.215, 0], \"normal\": [0.5, 1, -0.3]}}]"
              : "");
    memset(&reference, 0, sizeof reference);
    reference_start(&simulation, &reference);
    double worst = 0, touch = 0;
    int product = 0, alternating = 0;
    for (int step = 0; step < STEPS; ++step) {
        const StepReport report = step_once(&simulation);
        product += report.solver.iterations;
        touch = fmax(touch, report.end.contact);
        alternating += reference_step(&reference, simulation.scene.step);
        worst = fmax(worst, largest_difference(slot_values(&simulation, SLOT_POSITION), reference.q,
                                               3 * (size_t)simulation.model.node_count));
    }
    printf("%s%s: alternating updates against the product after %d steps: %.2g m; %.1f and %.1f iterations a "
           "step\n",
           model_name(model), plane ? " on a tilted plane" : "", STEPS, worst, (double)alternating / STEPS,
           (double)product / STEPS);
    ck_assert_double_le(worst, 1e-9 * 0.49); // of the body's diagonal
    ck_assert(!plane || touch > 0.01);
    simulation_stop(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("alternating updates");
    TCase *steps = tcase_create("steps");
    tcase_add_loop_test(steps, letter_of_the_method, 0, 2 * MODELS);
    suite_add_tcase(suite, steps);
    return test_run(suite);
}
