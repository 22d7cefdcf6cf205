/// Part of every sanitized program: libraries stay loaded until its end. LeakSanitizer looks last, and knows a Vulkan
/// driver's own leaks (leaks.txt) only while the driver is there.
int dlclose(void *library);

int dlclose(void *library)
{
    (void)library;
    return 0;
}
