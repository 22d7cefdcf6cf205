// What AMD's compiler makes of every compute kernel, without a card: registers, spills, scratch, shared memory and code size,
// from RADV's null device. Nothing is executed. usage: bench_registers [part of their names] > bench/results/radv.txt
//
// Needs Mesa's RADV (package mesa-vulkan-drivers). Kernels are compiled as the device makes them: the workgroup size of
// kernels.c, and those of the elements once for every kind of element and every energy model. Polaris, the RDNA2 and the RDNA3 generation stand for all.
#define _POSIX_C_SOURCE 200809L
#include "device/vulkan/kernels.h"
#include "device/vulkan/sort/sort.h"
#include "device/vulkan/terms/elements.h"

#include "gpu/shader.h"
#include "scene/keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const families[] = {"polaris10", "navi21", "gfx1100"};
/// As RADV names them, and as the table's head does.
static const char *const statistics[][2] = {{"VGPRs", "VGPR"},
                                            {"SGPRs", "SGPR"},
                                            {"Spilled VGPRs", "spilled"},
                                            {"Spilled SGPRs", "spilled S"},
                                            {"Scratch size", "scratch"},
                                            {"LDS size", "LDS"},
                                            {"Subgroups per SIMD", "waves"},
                                            {"Code size", "code"}};
enum { STATISTICS = sizeof statistics / sizeof *statistics, FOUND_MOST = 32 };

/// A device that keeps statistics; the one of src/gpu does not ask for them.
typedef struct Compiler {
    const GpuFunctions *vk;
    VkDevice device;
    PFN_vkGetDeviceProcAddr load;
    GpuSubgroups subgroups;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
} Compiler;

#define LOAD(compiler, name) ((PFN_vk##name)(compiler)->load((compiler)->device, "vk" #name))

static bool make_layouts(Compiler *compiler)
{
    VkDescriptorSetLayoutBinding bindings[GPU_MAX_BINDINGS];
    for (uint32_t i = 0; i < GPU_MAX_BINDINGS; ++i)
        bindings[i] = (VkDescriptorSetLayoutBinding){.binding = i,
                                                     .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                                     .descriptorCount = 1,
                                                     .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    const VkDescriptorSetLayoutCreateInfo set = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                 .bindingCount = GPU_MAX_BINDINGS,
                                                 .pBindings = bindings};
    const VkPushConstantRange range = {.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT, .size = GPU_MAX_PUSH};
    if (LOAD(compiler, CreateDescriptorSetLayout)(compiler->device, &set, NULL, &compiler->set_layout) !=
        VK_SUCCESS)
        return false;
    const VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 1,
                                               .pSetLayouts = &compiler->set_layout,
                                               .pushConstantRangeCount = 1,
                                               .pPushConstantRanges = &range};
    return LOAD(compiler, CreatePipelineLayout)(compiler->device, &layout, NULL, &compiler->layout) ==
           VK_SUCCESS;
}

static bool make_compiler(const GpuInstance *instance, Compiler *compiler)
{
    const float priority = 1;
    const char *const extensions[] = {VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME,
                                      gpu_subgroups_extension};
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
    *compiler = (Compiler){.vk = &instance->vk};
    if (instance->device_count < 1)
        return false;
    compiler->subgroups = gpu_subgroups_find(instance, instance->physical[0]);
    const bool subgroups = compiler->subgroups.size > 1;
    VkPhysicalDeviceSubgroupSizeControlFeaturesEXT sizes = gpu_subgroups_features(&compiler->subgroups);
    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR wanted = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR,
        .pNext = subgroups ? &sizes : NULL,
        .pipelineExecutableInfo = VK_TRUE};
    VkPhysicalDeviceVulkan12Features features12 = {.sType =
                                                       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                   .pNext = &wanted,
                                                   .scalarBlockLayout = VK_TRUE};
    const VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                                .pNext = &features12,
                                                .features = {.shaderFloat64 = VK_TRUE}};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &features,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = subgroups ? 2 : 1,
                                     .ppEnabledExtensionNames = extensions};
    if (instance->vk.CreateDevice(instance->physical[0], &info, NULL, &compiler->device) != VK_SUCCESS)
        return false;
    compiler->load =
        (PFN_vkGetDeviceProcAddr)instance->vk.GetInstanceProcAddr(instance->handle, "vkGetDeviceProcAddr");
    return make_layouts(compiler);
}

static VkPipeline compile(const Compiler *compiler, const GpuShaderEntry *shader, const KernelRow *row,
                          uint32_t energy)
{
    uint32_t values[] = {row->workgroup_size, 1, energy};
    const VkSpecializationMapEntry entries[] = {
        {SPEC_WORKGROUP_SIZE, 0, 4}, {SPEC_SUBGROUP_SIZE, 4, 4}, {SPEC_FIRST_OWN, 8, 4}};
    const VkSpecializationInfo constants = {3, entries, sizeof values, values};
    const VkShaderModuleCreateInfo module_info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                                  .codeSize = (size_t)(shader->end - shader->code) *
                                                              sizeof *shader->code,
                                                  .pCode = shader->code};
    VkShaderModule module;
    VkPipeline pipeline = VK_NULL_HANDLE;
    if (LOAD(compiler, CreateShaderModule)(compiler->device, &module_info, NULL, &module) != VK_SUCCESS)
        return pipeline;
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main",
                  .pSpecializationInfo = &constants},
        .layout = compiler->layout,
    };
    VkPipelineShaderStageRequiredSubgroupSizeCreateInfoEXT chosen;
    if (gpu_code_shuffles(shader->code, (size_t)(shader->end - shader->code)))
        values[1] = gpu_subgroups_stage(&compiler->subgroups, row->workgroup_size, &chosen, &info.stage);
    if (LOAD(compiler, CreateComputePipelines)(compiler->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline) !=
        VK_SUCCESS)
        pipeline = VK_NULL_HANDLE;
    LOAD(compiler, DestroyShaderModule)(compiler->device, module, NULL);
    return pipeline;
}

static void print_statistics(const Compiler *compiler, VkPipeline pipeline)
{
    const VkPipelineExecutableInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
                                              .pipeline = pipeline};
    VkPipelineExecutableStatisticKHR found[FOUND_MOST];
    uint32_t count = FOUND_MOST;
    for (uint32_t i = 0; i < FOUND_MOST; ++i)
        found[i] =
            (VkPipelineExecutableStatisticKHR){.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR};
    LOAD(compiler, GetPipelineExecutableStatisticsKHR)(compiler->device, &info, &count, found);
    for (int s = 0; s < STATISTICS; ++s) {
        uint64_t value = 0;
        for (uint32_t i = 0; i < count; ++i)
            if (strcmp(found[i].name, statistics[s][0]) == 0)
                value = found[i].value.u64;
        printf(" %9llu", (unsigned long long)value);
    }
    printf("\n");
}

/// Whether a row before has the same shader, with other buffers.
static bool is_there_before(KernelName kernel)
{
    int k = 0;
    while (strcmp(vulkan_kernel_rows[k].name, vulkan_kernel_rows[kernel].name) != 0)
        ++k;
    return k < (int)kernel;
}

// One kernel in one precision, of a kind of element or not, if `part` is in its name; returns false if it could not be compiled.
static bool print_kernel(const Compiler *compiler, KernelName kernel, const char *kind, bool f64,
                         const char *part)
{
    const KernelRow *row = &vulkan_kernel_rows[kernel];
    char shader[64];
    vulkan_kernel_shader(row, kind, f64, shader, sizeof shader);
    if (!strstr(shader, part))
        return true;
    const GpuShaderEntry *entry = gpu_shader_find(shader);
    // Only tetrahedra have energy models.
    const bool of_tets = kind && strcmp(kind, vulkan_kinds[ELEMENT_TET].shader) == 0;
    const uint32_t models = kernel >= KERNEL_FIRST_OF_RANGE && of_tets ? ENERGY_MODEL_COUNT : 1;
    for (uint32_t model = 0; model < models; ++model) {
        const VkPipeline pipeline = entry ? compile(compiler, entry, row, model) : VK_NULL_HANDLE;
        if (!pipeline)
            return false;
        char name[64];
        snprintf(name, sizeof name, "%s%s%s", shader + strlen("compute/"), models > 1 ? " " : "",
                 models > 1 ? WORDS_MODEL.known[model] : "");
        printf("%-42s", name);
        print_statistics(compiler, pipeline);
        LOAD(compiler, DestroyPipeline)(compiler->device, pipeline, NULL);
    }
    return true;
}

// A kernel of scans and sorts, likewise.
static bool print_sort_kernel(const Compiler *compiler, const GpuKernelDef *def, const char *part)
{
    if (!strstr(def->shader, part))
        return true;
    const GpuShaderEntry *entry = gpu_shader_find(def->shader);
    const KernelRow row = {.workgroup_size = def->workgroup_size};
    const VkPipeline pipeline = entry ? compile(compiler, entry, &row, 0) : VK_NULL_HANDLE;
    if (!pipeline)
        return false;
    printf("%-42s", def->shader + strlen("compute/"));
    print_statistics(compiler, pipeline);
    LOAD(compiler, DestroyPipeline)(compiler->device, pipeline, NULL);
    return true;
}

static bool print_family(VelaContext *context, const char *family, const char *part)
{
    setenv("RADV_FORCE_FAMILY", family, 1);
    const GpuInstanceDef def = gpu_default_instance_def();
    GpuInstance *instance;
    Compiler compiler;
    if (gpu_instance_create(context, &def, &instance) != VELA_OK)
        return false;
    bool good = make_compiler(instance, &compiler);
    if (good) {
        printf("%s: %s\n%-42s", family, instance->devices[0].driver, "kernel");
        for (int s = 0; s < STATISTICS; ++s)
            printf(" %9s", statistics[s][1]);
        printf("\n");
    }
    for (int k = 0; k < KERNEL_COUNT && good; ++k)
        for (int kind = is_there_before((KernelName)k) ? ELEMENT_KIND_COUNT : 0;
             kind < (k >= KERNEL_FIRST_OF_KIND ? ELEMENT_KIND_COUNT : 1) && good; ++kind)
            for (int f64 = 0; f64 <= !vulkan_kernel_rows[k].any_precision && good; ++f64)
                good = print_kernel(&compiler, (KernelName)k,
                                    k >= KERNEL_FIRST_OF_KIND ? vulkan_kinds[kind].shader : NULL, f64, part);
    for (int k = 0; k < SORT_KERNEL_COUNT && good; ++k)
        good = print_sort_kernel(&compiler, &sort_kernel_defs[k], part);
    printf("\n");
    if (compiler.layout)
        LOAD(&compiler, DestroyPipelineLayout)(compiler.device, compiler.layout, NULL);
    if (compiler.set_layout)
        LOAD(&compiler, DestroyDescriptorSetLayout)(compiler.device, compiler.set_layout, NULL);
    if (compiler.device)
        LOAD(&compiler, DestroyDevice)(compiler.device, NULL);
    gpu_instance_destroy(instance);
    return good;
}

int main(int count, char **arguments)
{
    VelaContextDef def = vela_default_context_def();
    VelaContext *context;
    if (vela_context_create(&def, &context) != VELA_OK)
        return 1;
    setenv("VK_ICD_FILENAMES", "/usr/share/vulkan/icd.d/radeon_icd.x86_64.json", 0);
    setenv("VK_DRIVER_FILES", getenv("VK_ICD_FILENAMES"), 0);
    printf(
        "Registers (a lane's VGPRs, a wave's SGPRs), spilled ones, bytes of scratch, of shared memory and of code, and waves "
        "that fit a SIMD,\nof every compute kernel, by RADV without a card; made by build/release/bench/bench_registers > "
        "bench/results/radv.txt\n\n");
    bool good = true;
    for (size_t f = 0; f < sizeof families / sizeof *families && good; ++f)
        good = print_family(context, families[f], count > 1 ? arguments[1] : "");
    if (!good)
        fprintf(stderr, "bench_registers: a kernel could not be compiled, or RADV is not there: %s\n",
                vela_context_message(context));
    vela_context_destroy(context);
    return good ? 0 : 1;
}
