#include "base/file.h"
#include "mesh/mesh.h"

// 17 digits: reading the file gives the same doubles.

VelaResult mesh_write_obj(VelaContext *context, const char *path, const TriangleMesh *mesh)
{
    FileWriter writer;
    TRY(file_writer_open(&writer, context, path));
    for (int32_t n = 0; n < mesh->node_count; ++n) {
        const double *node = mesh->nodes + 3 * (size_t)n;
        fprintf(writer.file, "v %.17g %.17g %.17g\n", node[0], node[1], node[2]);
    }
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        const int32_t *triangle = mesh->triangles + 3 * (size_t)t;
        fprintf(writer.file, "f %lld %lld %lld\n", triangle[0] + 1LL, triangle[1] + 1LL, triangle[2] + 1LL);
    }
    return file_writer_commit(&writer, false);
}

static void write_little_endian(FILE *file, const void *number, size_t size)
{
    const uint16_t one = 1;
    const unsigned char *bytes = number;
    unsigned char ordered[8];
    for (size_t i = 0; i < size; ++i)
        ordered[i] = bytes[*(const unsigned char *)&one ? i : size - 1 - i];
    fwrite(ordered, 1, size, file);
}

VelaResult mesh_write_ply(VelaContext *context, const char *path, const TriangleMesh *mesh)
{
    FileWriter writer;
    TRY(file_writer_open(&writer, context, path));
    fprintf(writer.file,
            "ply\nformat binary_little_endian 1.0\nelement vertex %d\nproperty double x\nproperty double y\n"
            "property double z\nelement face %d\nproperty list uchar int vertex_indices\nend_header\n",
            mesh->node_count, mesh->triangle_count);
    for (size_t i = 0; i < 3 * (size_t)mesh->node_count; ++i)
        write_little_endian(writer.file, &mesh->nodes[i], sizeof(double));
    for (size_t t = 0; t < (size_t)mesh->triangle_count; ++t) {
        fputc(3, writer.file);
        for (int n = 0; n < 3; ++n)
            write_little_endian(writer.file, &mesh->triangles[3 * t + (size_t)n], sizeof(int32_t));
    }
    return file_writer_commit(&writer, false);
}
