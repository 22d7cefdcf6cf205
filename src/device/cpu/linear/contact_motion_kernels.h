/// The kernels of motions that give way to contact, for the table of kernels.
#ifndef DEVICE_CPU_LINEAR_CONTACT_MOTION_KERNELS_H
#define DEVICE_CPU_LINEAR_CONTACT_MOTION_KERNELS_H

#include "device/cpu/linear/contact_group_kernels.h"
#include "device/cpu/linear/contact_motions.h"
#include "device/cpu/linear/motion_kernels.h"

// What the rows of a group's matrix sum to, by rows.
static inline void group_sum_rows(const BlockMatrix *matrix, const ContactGroup *group, double (*sums)[9])
{
    const ChangingBlocks *changing = &matrix->changing;
    for (int own = 0; own < group->count; ++own) {
        const int32_t row = group->rows[own];
        double sum[9];
        memcpy(sum, matrix->values + 9 * (size_t)matrix->diagonal[row], sizeof sum);
        for (int32_t p = changing->row_start[row], n = 0; p < changing->row_end[row]; ++p) {
            while (n < group->count && group->rows[n] < changing->columns[p])
                ++n;
            for (int k = 0; n < group->count && group->rows[n] == changing->columns[p] && k < 9; ++k)
                sum[k] += changing->values[p][k];
        }
        for (int k = 0; k < 9; ++k)
            sums[own][k] = sum[k / 3 + k % 3 * 3];
    }
}

// Of every part that the group has rows of, and each of its motions: right is what its rows have of F t, u = G^-1 right.
static void group_deviate(const ContactGroup *group, const CoarseSpace *space, MotionDeviations *deviations)
{
    double sums[CONTACT_GROUP_ROWS][9], motions[CONTACT_GROUP_ROWS][3][COARSE_MODES];
    group_sum_rows(space->matrix, group, sums);
    for (int n = 0; n < group->count; ++n)
        row_motions(space, group->rows[n], motions[n]);
    for (int first = 0, end, at = 0; first < group->count; first = end, ++at) {
        const int32_t part = space->part_of[group->rows[first]];
        for (end = first; end < group->count && space->part_of[group->rows[end]] == part; ++end)
            ;
        for (int mode = 0; mode < COARSE_MODES; ++mode) {
            double right[CONTACT_GROUP_SIZE] = {0};
            Pack u[GROUP_PACKS], squares[PACKS_PER_BLOCK] = {{0}};
            for (int n = first; n < end; ++n)
                for (int k = 0; k < 3; ++k)
                    for (int l = 0; l < 3; ++l)
                        right[3 * n + k] += sums[n][3 * k + l] * motions[n][l][mode];
            group_solve_any(group, right, u, squares);
            for (int n = 0; n < group->count; ++n) {
                const int32_t d = deviations->row_start[group->rows[n]] + at;
                deviations->rows[d] = group->rows[n];
                deviations->parts[d] = part;
                for (int k = 0; k < 3; ++k)
                    deviations->values[d][COARSE_MODES * k + mode] =
                        (float)(((const double *)u)[3 * n + k] -
                                (n >= first && n < end ? motions[n][k][mode] : 0));
            }
        }
    }
}

#endif
