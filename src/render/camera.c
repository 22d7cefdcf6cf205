#include "render/camera.h"

#include "base/matrix3.h"

#define DEGREES (3.14159265358979323846 / 180)

// How far from the image's centre the box may reach, in normalised device coordinates.
static const double FRAME_MARGIN = 0.9;

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

// Unit vector from the scene to the eye: about 30 degrees off the face across which the box is longest, higher over
// flat scenes, so that what lies on the floor is seen apart.
static void view_direction(const double size[3], double out[3])
{
    const double across = size[0] > size[2] ? size[0] : size[2];
    const double flat = clamp(1 - size[1] / across, 0, 1);
    const double elevation = (15 + 12 * flat) * DEGREES;
    const double azimuth = (size[2] > 1.25 * size[0] ? 62 : 28) * DEGREES;
    out[0] = cos(elevation) * sin(azimuth);
    out[1] = sin(elevation);
    out[2] = cos(elevation) * cos(azimuth);
}

// A corner at (x, z) of view axes, x across and z along the view, is inside for an eye at (c, -d) where
// |x - c| <= tangent (z + d): an interval for c that is not empty from this d on.
static double frame_distance(double corners[8][3], int axis, double tangent)
{
    double low = -1e300, high = 1e300;
    for (int i = 0; i < 8; ++i) {
        low = fmax(low, corners[i][axis] - tangent * corners[i][2]);
        high = fmin(high, corners[i][axis] + tangent * corners[i][2]);
    }
    return (low - high) / (2 * tangent);
}

// The c that leaves equal room on both sides of the image, by bisection.
static double frame_shift(double corners[8][3], int axis, double distance)
{
    double low = corners[0][axis], high = low;
    for (int i = 1; i < 8; ++i) {
        low = fmin(low, corners[i][axis]);
        high = fmax(high, corners[i][axis]);
    }
    for (int step = 0; step < 60; ++step) {
        const double middle = 0.5 * (low + high);
        double least = 1e300, most = -1e300;
        for (int i = 0; i < 8; ++i) {
            const double x = (corners[i][axis] - middle) / (corners[i][2] + distance);
            least = fmin(least, x);
            most = fmax(most, x);
        }
        *(least + most > 0 ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

RenderCamera render_camera_frame(const double min[3], const double max[3], double aspect, double fov_degrees)
{
    double center[3], size[3], extent = 0;
    for (int i = 0; i < 3; ++i) {
        center[i] = 0.5 * (min[i] + max[i]);
        size[i] = max[i] - min[i];
        extent = size[i] > extent ? size[i] : extent;
    }
    if (!(extent > 0))
        extent = 1;
    for (int i = 0; i < 3; ++i)
        size[i] = size[i] > 1e-3 * extent ? size[i] : 1e-3 * extent;

    RenderCamera camera = {.fov_degrees = fov_degrees};
    double back[3], right[3], up[3], forward[3];
    view_direction(size, back);
    for (int i = 0; i < 3; ++i) {
        camera.eye[i] = center[i] + back[i];
        camera.target[i] = center[i];
    }
    render_camera_axes(&camera, right, up, forward);

    // A corner at (x, y, z) in view axes about the centre is inside for an eye at (cx, cy, -d) where
    // |x - cx| <= tx (z + d) and |y - cy| <= ty (z + d): two intervals for cx and cy, non-empty from a smallest d on.
    const double tangent_y = FRAME_MARGIN * tan(0.5 * fov_degrees * DEGREES);
    const double tangents[2] = {tangent_y * aspect, tangent_y};
    double corners[8][3], nearest = 0, shift[2];
    for (int corner = 0; corner < 8; ++corner) {
        double p[3];
        for (int i = 0; i < 3; ++i)
            p[i] = (corner >> i & 1 ? 0.5 : -0.5) * size[i];
        corners[corner][0] = dot3(right, p);
        corners[corner][1] = dot3(up, p);
        corners[corner][2] = dot3(forward, p);
        nearest = fmin(nearest, corners[corner][2]);
    }
    double distance = -nearest + 0.05 * extent;
    for (int axis = 0; axis < 2; ++axis)
        distance = fmax(distance, frame_distance(corners, axis, tangents[axis]));
    for (int axis = 0; axis < 2; ++axis)
        shift[axis] = frame_shift(corners, axis, distance);
    for (int i = 0; i < 3; ++i) {
        camera.target[i] = center[i] + shift[0] * right[i] + shift[1] * up[i];
        camera.eye[i] = camera.target[i] - distance * forward[i];
    }
    render_camera_fit_depth(&camera, center, 0.5 * norm3(size));
    return camera;
}

void render_camera_fit_depth(RenderCamera *camera, const double center[3], double radius)
{
    double right[3], up[3], forward[3], offset[3];
    render_camera_axes(camera, right, up, forward);
    subtract3(center, camera->eye, offset);
    const double middle = dot3(forward, offset), reach = norm3(offset) + radius;
    // The near plane keeps half of the free space: enough for a floor in front of the scene.
    camera->near = fmax(0.5 * (middle - radius), 1e-3 * reach);
    camera->far = fmax(middle + radius, 2 * camera->near) + 0.01 * reach;
}

void render_camera_axes(const RenderCamera *camera, double right[3], double up[3], double forward[3])
{
    subtract3(camera->target, camera->eye, forward);
    if (normalize3(forward) == 0)
        forward[2] = -1;
    const double world_up[3] = {0, 1, 0}, beside[3] = {0, 0, -1};
    cross3(forward, fabs(forward[1]) < 0.9999 ? world_up : beside, right);
    normalize3(right);
    cross3(right, forward, up);
}

void render_camera_matrix(const RenderCamera *camera, double aspect, const double origin[3], float matrix[16])
{
    double right[3], up[3], forward[3], eye[3];
    render_camera_axes(camera, right, up, forward);
    subtract3(camera->eye, origin, eye);
    const double scale = 1 / tan(0.5 * camera->fov_degrees * DEGREES), range = camera->far - camera->near;
    // clip = (sx x, -sy y, (z - near) far / range, z) with z the depth along the view
    for (int i = 0; i < 3; ++i) {
        matrix[4 * i + 0] = (float)(right[i] * scale / aspect);
        matrix[4 * i + 1] = (float)(-up[i] * scale);
        matrix[4 * i + 2] = (float)(forward[i] * camera->far / range);
        matrix[4 * i + 3] = (float)forward[i];
    }
    matrix[12] = (float)(-dot3(right, eye) * scale / aspect);
    matrix[13] = (float)(dot3(up, eye) * scale);
    matrix[14] = (float)((-dot3(forward, eye) - camera->near) * camera->far / range);
    matrix[15] = (float)-dot3(forward, eye);
}

bool render_camera_project(const RenderCamera *camera, double aspect, const double point[3], double ndc[3])
{
    double right[3], up[3], forward[3], offset[3];
    render_camera_axes(camera, right, up, forward);
    subtract3(point, camera->eye, offset);
    const double depth = dot3(forward, offset), scale = 1 / tan(0.5 * camera->fov_degrees * DEGREES);
    if (!(depth > 0))
        return false;
    ndc[0] = dot3(right, offset) * scale / (aspect * depth);
    ndc[1] = -dot3(up, offset) * scale / depth;
    ndc[2] = (depth - camera->near) * camera->far / ((camera->far - camera->near) * depth);
    return true;
}
