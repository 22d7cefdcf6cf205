/// vela devices: lists the Vulkan devices and whether they are usable.
#include "vela/devices.h"

#include "cli.h"

enum { MOST_DEVICES = 32 };

static const char *type_name(VelaDeviceType type)
{
    switch (type) {
    case VELA_DEVICE_DISCRETE:
        return "discrete GPU";
    case VELA_DEVICE_INTEGRATED:
        return "integrated GPU";
    case VELA_DEVICE_VIRTUAL:
        return "virtual GPU";
    case VELA_DEVICE_SOFTWARE:
        return "software (simulates only when named)";
    case VELA_DEVICE_OTHER:
        break;
    }
    return "other";
}

static void print_device(const VelaDeviceInfo *device)
{
    char memory[32];
    print_text(stdout, "vulkan:%d  %s%s\n", (int)device->index, device->name,
               device->automatic ? "  (--device auto)" : "");
    print_text(stdout, "  type           %s\n", type_name(device->type));
    print_text(stdout, "  driver         %s\n", device->driver);
    printf("  Vulkan         %u.%u.%u\n", (unsigned)device->api_major, (unsigned)device->api_minor,
           (unsigned)device->api_patch);
    print_text(stdout, "  memory         %s\n", format_bytes(device->memory, memory, sizeof memory));
    printf("  subgroup size  %u\n", (unsigned)device->subgroup_size);
    print_text(stdout, "  float64        %s\n", device->float64 ? "yes" : "no (--precision f32 only)");
    print_text(stdout, "  timestamps     %s\n", device->timestamps ? "yes" : "no");
    print_text(stdout, "  simulates      %s\n", device->usable ? "yes" : "no");
    print_text(stdout, "  renders        %s\n", device->renders ? "yes" : "no");
    if (device->reason[0])
        print_text(stdout, "  because        %s\n", device->reason);
}

static VelaResult list_devices(VelaContext *context)
{
    static VelaDeviceInfo devices[MOST_DEVICES];
    int32_t count = 0;
    const VelaResult result = vela_devices(context, MOST_DEVICES, devices, &count);
    if (result != VELA_OK)
        return result;
    for (int32_t i = 0; i < count && i < MOST_DEVICES; i++)
        print_device(&devices[i]);
    if (count == 0)
        printf("There is no Vulkan driver: vela simulates on the CPU and writes no images.\n"
               "Install your GPU's driver, or a software one for images (Debian, Ubuntu: "
               "mesa-vulkan-drivers).\n");
    return VELA_OK;
}

int verb_devices(int argc, char **argv)
{
    Invocation invocation;
    int code = invocation_begin(&invocation, "devices", argc);
    if (code != OPTIONS_GO_ON)
        return code;
    const Command command = {
        .name = "devices",
        .summary = "lists the Vulkan devices and whether they are usable",
        .usage = "",
        .argument = "argument",
        .no_argument_hint = "",
        .notes = "N of vulkan:N is what --device takes.",
    };
    code = options_parse(&command, argc, argv, &invocation.arguments);
    if (code != OPTIONS_GO_ON)
        return invocation_leave(&invocation, code);
    code = invocation_open(&invocation, 0);
    if (code != OPTIONS_GO_ON)
        return code;
    return invocation_end(&invocation, list_devices(invocation.context));
}
