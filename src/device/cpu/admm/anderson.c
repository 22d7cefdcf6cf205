// Anderson acceleration of the fixed point S -> S + (D x - Z) (and of the planes' split beside it), in the
// norm sqrt(rho): theory.md section 5. Depth 5, least squares on the last differences, restart when the
// combined residual exceeds twice the best.
#include "device/cpu/admm/anderson.h"

#include <string.h>

// Solves the normal equations G w = b by Cholesky. Differences that add nothing new beyond `floor` of their
// size get the weight 0.
static void solve_weights(int32_t n, double gram[HISTORY_MOST][HISTORY_MOST], const double *b,
                          double *weights)
{
    const double floor = 1e-12;
    double lower[HISTORY_MOST][HISTORY_MOST] = {{0}}, y[HISTORY_MOST] = {0};
    bool used[HISTORY_MOST];
    for (int32_t i = 0; i < n; ++i) {
        double pivot = gram[i][i];
        for (int32_t j = 0; j < i; ++j) {
            if (!used[j])
                continue;
            double entry = gram[i][j];
            for (int32_t k = 0; k < j; ++k)
                entry -= lower[i][k] * lower[j][k];
            lower[i][j] = entry / lower[j][j];
            pivot -= lower[i][j] * lower[i][j];
        }
        used[i] = pivot > floor * gram[i][i];
        if (!used[i]) {
            memset(lower[i], 0, sizeof lower[i]);
            continue;
        }
        lower[i][i] = sqrt(pivot);
        y[i] = b[i];
        for (int32_t k = 0; k < i; ++k)
            y[i] -= lower[i][k] * y[k];
        y[i] /= lower[i][i];
    }
    for (int32_t i = n - 1; i >= 0; --i) {
        weights[i] = 0;
        if (!used[i])
            continue;
        double sum = y[i];
        for (int32_t k = i + 1; k < n; ++k)
            sum -= lower[k][i] * weights[k];
        weights[i] = sum / lower[i][i];
    }
}

void cpu_anderson_update(CpuDevice *device, const ResidualSums *sums)
{
    Anderson *anderson = &device->admm.anderson;
    device->admm.mixing.depth = 0;
    if (anderson->depth == 0)
        return;
    const double combined = sqrt(sums->weighted_sq);
    if (anderson->has_previous) {
        // The newest difference enters the history and its row of the Gram matrix.
        const int32_t newest = anderson->next;
        anderson->kept += anderson->kept < anderson->depth;
        anderson->next = (newest + 1) % anderson->depth;
        for (int32_t j = 0; j < anderson->kept; ++j)
            anderson->gram[newest][j] = anderson->gram[j][newest] = sums->newest[j];
        if (combined > 2 * anderson->best) {
            anderson->kept = 0;
            anderson->next = 0;
            anderson->best = combined;
        } else {
            solve_weights(anderson->kept, anderson->gram, sums->current, device->admm.mixing.weights);
            device->admm.mixing.depth = anderson->kept;
        }
    } else {
        anderson->best = combined;
    }
    anderson->best = combined < anderson->best ? combined : anderson->best;
    anderson->has_previous = true;
}
