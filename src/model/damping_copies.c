#include "model/damping_copies.h"

#include "model/matrix.h"

#include <math.h>

/// A copy weighs at least this part of the elastic one: that of damping that is nothing would be nothing.
static const double WEIGHT_LEAST = 1e-6;

/// A level changes when it is this far off, and with it the factor of the global matrix.
static const double LEVEL_OFF = 0.75;

static bool is_quadratic(const Damping *entry, DampingSide side)
{
    return entry->type != DAMPING_POWER_LAW && entry->type != DAMPING_VARIATIONAL &&
           damping_side(entry) == side;
}

double model_variational_time(const DampingList *list)
{
    double time = 0;
    for (const Damping *entry = damping_first(list); entry != damping_end(list); ++entry)
        time += entry->type == DAMPING_VARIATIONAL ? entry->time : 0;
    return time;
}

bool model_has_damping_copy(const ModelMaterial *material, int32_t kind, DampingCopy copy)
{
    const bool stretches = kind == ELEMENT_TET || kind == ELEMENT_MEMBRANE || kind == ELEMENT_SEGMENT;
    if (kind == ELEMENT_AFFINE || kind == ELEMENT_PRESSURE)
        return false;
    if (copy.law == COPY_OF_VARIATIONAL)
        return stretches && model_variational_time(material->damping) > 0;
    if (copy.law != COPY_OF_QUADRATICS) {
        const Damping *entry = damping_law(material->damping, copy.law);
        return stretches && entry && damping_side(entry) == copy.side;
    }
    for (const Damping *entry = damping_first(material->damping); entry != damping_end(material->damping);
         ++entry)
        if (is_quadratic(entry, copy.side) && (stretches || entry->type == DAMPING_RAYLEIGH))
            return true;
    return false;
}

bool model_kind_has_damping_copy(const Model *model, int32_t kind, DampingCopy copy)
{
    const ElementGroup *group = &model->groups[kind];
    for (int32_t e = 0; e < group->count; ++e)
        if (model_has_damping_copy(&model->materials[group->materials[e]], kind, copy))
            return true;
    return false;
}

static void append(const Model *model, DampingCopy copy, DampingCopy *copies, int32_t *count)
{
    bool occurs = false;
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT && !occurs; ++kind)
        occurs = model_kind_has_damping_copy(model, kind, copy);
    if (occurs)
        copies[(*count)++] = copy;
}

int32_t model_damping_copies(const Model *model, DampingCopy copies[MODEL_DAMPING_COPIES_MOST])
{
    int32_t count = 0;
    if (model->scene->solver.type != SOLVER_ADMM || scene_is_explicit(model->scene) || !model->is_damped)
        return 0;
    for (int side = 0; side < DAMPING_SIDES; ++side)
        for (int law = COPY_OF_QUADRATICS; law < MODEL_LAWS_MOST; ++law)
            append(model, (DampingCopy){law, (DampingSide)side}, copies, &count);
    append(model, (DampingCopy){COPY_OF_VARIATIONAL, DAMPED_AS_IS}, copies, &count);
    return count;
}

uint32_t model_damping_kinds(const Model *model)
{
    DampingCopy copies[MODEL_DAMPING_COPIES_MOST];
    const int32_t count = model_damping_copies(model, copies);
    uint32_t kinds = 0;
    for (int32_t c = 0; c < count; ++c)
        for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind)
            kinds |= (uint32_t)model_kind_has_damping_copy(model, kind, copies[c]) << kind;
    return kinds;
}

// c, Pa s: what all quadratic models of a material on a side resist a stretching with, or the variational one.
static double viscosity_of(const Model *model, const ModelMaterial *material, int32_t kind, DampingCopy copy)
{
    const double stiffness = model_unit_penalty(material, kind, 1);
    double sum = 0;
    if (copy.law == COPY_OF_VARIATIONAL)
        return model_variational_time(material->damping) * stiffness / (1 - model->scene->alpha);
    for (const Damping *entry = damping_first(material->damping); entry != damping_end(material->damping);
         ++entry) {
        double factor = 1;
        for (int32_t p = 0; p < entry->factor.count; ++p)
            factor = fmax(p == 0 ? 0 : factor, entry->factor.points[p][1]);
        if (!is_quadratic(entry, copy.side))
            continue;
        sum += entry->type == DAMPING_STRAIN_RATE ? 2 * entry->shear + entry->bulk
                                                  : entry->time * stiffness * factor;
    }
    return sum;
}

double model_damping_weight(const Model *model, DampingCopy copy, int32_t kind, int32_t e, int level,
                            double duration, double elastic)
{
    const ElementGroup *group = &model->groups[kind];
    const ModelMaterial *material = &model->materials[group->materials[e]];
    if (copy.law >= 0)
        return ldexp(elastic, 2 * level);
    const double viscosity = viscosity_of(model, material, kind, copy),
                 damping = fmax(group->volumes[e] * viscosity / duration, WEIGHT_LEAST * elastic);
    return fmin(damping, sqrt(damping * elastic));
}

int model_law_level(const Model *model, const double *weights, DampingCopy copy, double power,
                    double duration, const int *before)
{
    double elastic = 0, volume = 0;
    const Damping *first = NULL;
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        const ElementGroup *group = &model->groups[kind];
        for (int32_t e = 0; e < group->count; ++e) {
            const ModelMaterial *material = &model->materials[group->materials[e]];
            if (!model_has_damping_copy(material, kind, copy))
                continue;
            first = first ? first : damping_law(material->damping, copy.law);
            volume += group->volumes[e];
            elastic += weights[group->first_element + e];
        }
    }
    if (!(first && first->coefficient > 0))
        return LAW_LEVEL_LEAST;
    const double rate = pow(power / (first->coefficient * volume), 1 / (first->exponent + 1)),
                 weight = volume * first->coefficient * pow(fmax(rate, 1e-9), first->exponent - 1) / duration;
    const double exact = fmin(fmax(0.5 * log2(weight / elastic), LAW_LEVEL_LEAST), LAW_LEVEL_MOST);
    return before && fabs(exact - *before) < LEVEL_OFF ? *before : (int)lround(exact);
}

size_t model_damping_state(const Model *model, DampingCopy copy, size_t *places)
{
    size_t next = 0;
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        const ElementGroup *group = &model->groups[kind];
        for (int32_t e = 0; e < group->count; ++e) {
            places[group->first_element + e] = next;
            if (model_has_damping_copy(&model->materials[group->materials[e]], kind, copy))
                next += 2 * (size_t)element_size(group->kind);
        }
    }
    return next / 2;
}
