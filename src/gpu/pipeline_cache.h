/// Compiled pipelines on disk.
#ifndef GPU_PIPELINE_CACHE_H
#define GPU_PIPELINE_CACHE_H

#include "gpu/device.h"

VelaResult gpu_pipeline_cache_load(GpuDevice *device);
void gpu_pipeline_cache_save(GpuDevice *device);

#endif
