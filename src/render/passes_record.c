// Recording of the passes of passes.h.
#include "render/passes.h"

static void area_set(const Passes *passes, GpuCommands *commands, uint32_t width, uint32_t height)
{
    const VkViewport viewport = {0, 0, (float)width, (float)height, 0, 1};
    const VkRect2D scissor = {{0, 0}, {width, height}};
    passes->device->vk.CmdSetViewport(commands->buffer, 0, 1, &viewport);
    passes->device->vk.CmdSetScissor(commands->buffer, 0, 1, &scissor);
}

static void bodies_draw(const Passes *passes, GpuCommands *commands, const PassesFrame *frame,
                        PassesPipeline pipeline)
{
    const GpuFunctions *vk = &passes->device->vk;
    if (frame->index_count == 0)
        return;
    const VkDeviceSize offset = 0;
    vk->CmdBindPipeline(commands->buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, passes->pipelines[pipeline]);
    vk->CmdBindVertexBuffers(commands->buffer, 0, 1, &frame->vertices->handle, &offset);
    vk->CmdBindIndexBuffer(commands->buffer, frame->indices->handle, 0, VK_INDEX_TYPE_UINT32);
    vk->CmdDrawIndexed(commands->buffer, frame->index_count, 1, 0, 0, 0);
}

static void map_draw(const Passes *passes, GpuCommands *commands, const PassesFrame *frame,
                     const PassesMap *map, const float rows[12])
{
    const GpuFunctions *vk = &passes->device->vk;
    const VkClearValue clear = {.depthStencil = {1, 0}};
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = passes->depth_pass,
        .framebuffer = map->framebuffer,
        .renderArea = {{0, 0}, {map->size, map->size}},
        .clearValueCount = 1,
        .pClearValues = &clear,
    };
    vk->CmdBeginRenderPass(commands->buffer, &info, VK_SUBPASS_CONTENTS_INLINE);
    area_set(passes, commands, map->size, map->size);
    vk->CmdPushConstants(commands->buffer, passes->depth_layout, VK_SHADER_STAGE_VERTEX_BIT, 0,
                         12 * sizeof(float), rows);
    bodies_draw(passes, commands, frame, PIPELINE_DEPTH);
    vk->CmdEndRenderPass(commands->buffer);
}

static void filter_run(const Passes *passes, GpuCommands *commands, PassesPipeline pipeline,
                       VkDescriptorSet set, const int32_t constants[4])
{
    const GpuFunctions *vk = &passes->device->vk;
    vk->CmdBindPipeline(commands->buffer, VK_PIPELINE_BIND_POINT_COMPUTE, passes->pipelines[pipeline]);
    vk->CmdBindDescriptorSets(commands->buffer, VK_PIPELINE_BIND_POINT_COMPUTE, passes->filter_layout, 0, 1,
                              &set, 0, NULL);
    vk->CmdPushConstants(commands->buffer, passes->filter_layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                         4 * sizeof(int32_t), constants);
    vk->CmdDispatch(commands->buffer, RENDER_FILTER_SIZE / 8, RENDER_FILTER_SIZE / 8, 1);
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
    };
    vk->CmdPipelineBarrier(commands->buffer, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                           VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, 0, 1,
                           &barrier, 0, NULL, 0, NULL);
}

static void map_filter(const Passes *passes, GpuCommands *commands, const PassesMap *map, int32_t mode,
                       int32_t reach)
{
    const int32_t reduce[4] = {(int32_t)map->size / RENDER_FILTER_SIZE, mode, 0, 0};
    const int32_t along_x[4] = {1, 0, reach, 0}, along_y[4] = {0, 1, reach, 0};
    for (int i = 0; i < 2; ++i)
        gpu_image_transition(commands, &map->filtered[i], VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    filter_run(passes, commands, PIPELINE_REDUCE, map->sets[0], reduce);
    filter_run(passes, commands, PIPELINE_BLUR, map->sets[1], along_x);
    filter_run(passes, commands, PIPELINE_BLUR, map->sets[2], along_y);
}

static void image_draw(const Passes *passes, GpuCommands *commands, const PassesFrame *frame)
{
    const GpuFunctions *vk = &passes->device->vk;
    const uint32_t width = passes->def.width, height = passes->def.height;
    const VkClearValue clear[2] = {{.color = {.float32 = {0, 0, 0, 1}}}, {.depthStencil = {1, 0}}};
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = passes->image_pass,
        .framebuffer = passes->image_framebuffer,
        .renderArea = {{0, 0}, {width, height}},
        .clearValueCount = 2,
        .pClearValues = clear,
    };
    vk->CmdBeginRenderPass(commands->buffer, &info, VK_SUBPASS_CONTENTS_INLINE);
    area_set(passes, commands, width, height);
    vk->CmdBindDescriptorSets(commands->buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, passes->scene_layout, 0, 1,
                              &passes->scene_sets[frame->slot], 0, NULL);
    vk->CmdBindPipeline(commands->buffer, VK_PIPELINE_BIND_POINT_GRAPHICS,
                        passes->pipelines[PIPELINE_BACKGROUND]);
    vk->CmdDraw(commands->buffer, 3, 1, 0, 0);
    bodies_draw(passes, commands, frame, PIPELINE_BODY);
    vk->CmdBindPipeline(commands->buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, passes->pipelines[PIPELINE_PLANE]);
    for (int32_t i = 0; i < frame->plane_count; ++i) {
        vk->CmdPushConstants(commands->buffer, passes->scene_layout,
                             VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0,
                             sizeof frame->planes[i], &frame->planes[i]);
        vk->CmdDraw(commands->buffer, 4, 1, 0, 0);
    }
    vk->CmdEndRenderPass(commands->buffer);
}

void passes_record(const Passes *passes, GpuCommands *commands, const PassesFrame *frame)
{
    const RenderScene *scene = frame->scene;
    float rows[12];
    for (int i = 0; i < 4; ++i) {
        rows[i] = scene->shadow_x[i];
        rows[4 + i] = scene->shadow_y[i];
        rows[8 + i] = scene->shadow_z[i];
    }
    map_draw(passes, commands, frame, &passes->shadow, rows);
    map_filter(passes, commands, &passes->shadow, 0,
               (int32_t)(scene->shadow_size[3] * RENDER_FILTER_SIZE + 1.5f));

    // Depth 0 lies as far under the floor as bodies may sink into it, 1 where the floor no longer feels them.
    const float height = scene->floor_size[0] > 0 ? scene->floor_size[0] : 1, sunk = 0.25f * height;
    for (int i = 0; i < 4; ++i) {
        rows[i] = scene->floor_x[i];
        rows[4 + i] = scene->floor_y[i];
        rows[8 + i] = (scene->floor_plane[i] + (i == 3 ? sunk : 0)) / (height + sunk);
    }
    map_draw(passes, commands, frame, &passes->contact, rows);
    map_filter(passes, commands, &passes->contact, 1, frame->contact_reach > 0 ? frame->contact_reach : 1);
    image_draw(passes, commands, frame);
    gpu_image_read(commands, &passes->resolved, frame->pixels);
    gpu_barrier(commands);
}
