#include "check_main.h"

#include "base/context.h"
#include "mesh/mesh.h"
#include "mesh_seeds.h"

// What every reader says about what it refuses: the message must start with the file and have place, found, expected.

static VelaContext *context;
static Arena arena;
static char logged[8192];

static void keep_log(void *user, VelaLogLevel level, const char *message)
{
    (void)user;
    if (level <= VELA_LOG_WARNING)
        snprintf(logged + strlen(logged), sizeof logged - strlen(logged), "%s\n", message);
}

static void setup(void)
{
    VelaContextDef def = vela_default_context_def();
    def.log = keep_log;
    def.memory_limit = 16 << 20; // what is refused must not have taken memory for its claims
    logged[0] = 0;
    ck_assert_int_eq(vela_context_create(&def, &context), VELA_OK);
    arena = arena_make(context);
}

static void teardown(void)
{
    arena_clear(&arena);
    ck_assert_uint_eq(context->memory_used, 0);
    vela_context_destroy(context);
}

static VelaResult parse(const char *name, const char *text, size_t size, const char *elements)
{
    arena_clear(&arena);
    const MeshFormat format = mesh_format(name);
    const MeshSource sources[2] = {{name, text, size},
                                   {"t.ele", elements ? elements : "", elements ? strlen(elements) : 0}};
    TetMesh mesh;
    TriangleMesh surface;
    return format <= MESH_FORMAT_VTK ? mesh_parse_tets(context, format, sources, &arena, &mesh)
                                     : mesh_parse_triangles(context, format, sources, &arena, &surface);
}

static void assert_message(const char *file, const char *expected)
{
    const char *message = vela_context_message(context);
    ck_assert_msg(strstr(message, expected) != NULL, "%s: \"%s\" lacks \"%s\"", file, message, expected);
}

typedef struct Case {
    const char *text, *expected;
} Case;

static void assert_refused(const char *name, size_t count, const Case *cases)
{
    for (size_t i = 0; i < count; ++i) {
        const VelaResult result = parse(name, cases[i].text, strlen(cases[i].text), NULL);
        ck_assert_msg(result == VELA_ERROR_INVALID_INPUT, "%s, case %zu (%s): result %d", name, i,
                      cases[i].expected, result);
        assert_message(name, cases[i].expected);
    }
}
#define ASSERT_REFUSED(name, cases) assert_refused(name, sizeof(cases) / sizeof *(cases), cases)

#define NODES2 "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
#define GMSH2 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define GMSH4 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define NODES4 "$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n"

START_TEST(gmsh2)
{
    static const Case cases[] = {
        {"", "g.msh: line 1: found the end of the file, expected $MeshFormat"},
        {"hello", "g.msh: line 1: found 'hello', expected $MeshFormat"},
        {"$MeshFormat\n3.0 0 8\n", "g.msh: line 2: found '3.0', expected version 2.2 or 4.1"},
        {"$MeshFormat\n4.0 0 8\n", "found '4.0', expected version 2.2 or 4.1"},
        {"$MeshFormat\n2.2 2 8\n", "line 2: found '2', expected 0 for text or 1 for binary"},
        {"$MeshFormat\n2.2 0 4\n", "line 2: found '4', expected 8"},
        {"$MeshFormat\n2.2 0 8 9\n", "line 2: found '9', expected the end of the line after the format"},
        {"$MeshFormat\n2.2 0 8\n$Nodes", "line 3: found '$Nodes', expected $EndMeshFormat"},
        {GMSH2, "found no section $Nodes"},
        {GMSH2 NODES2, "found no section $Elements"},
        {GMSH2 "$Elements\n0\n$EndElements\n", "line 4: found $Elements before $Nodes"},
        {GMSH2 NODES2 NODES2, "line 11: found a second section $Nodes, expected one"},
        {GMSH2 "hm", "line 4: found 'hm', expected a section such as $Nodes"},
        {GMSH2 "$Other\n1 2 3\n", "found no end of the section '$Other'"},
        {GMSH2 "$Nodes\n2000000000\n1 0 0 0\n",
         "line 5: found a count of 2000000000 nodes, expected at most 1 in the"},
        {GMSH2 "$Nodes\n99999999999\n1 0 0 0\n", "found a count of 99999999999 nodes, expected at most"},
        {GMSH2 "$Nodes\n-1\n", "line 5: found '-1', expected the number of nodes"},
        {GMSH2 "$Nodes\nx\n", "line 5: found 'x', expected the number of nodes"},
        {GMSH2 "$Nodes\n1\n1 0 0 nan\n", "line 6: found 'nan', expected coordinate z (a finite number)"},
        {GMSH2 "$Nodes\n1\n1 0 1e999 0\n", "line 6: found '1e999', expected coordinate y (a finite number)"},
        {GMSH2 "$Nodes\n1\n1 0 0x10 0\n", "line 6: found '0x10', expected coordinate y"},
        {GMSH2 "$Nodes\n1\n1 2e30 0 0\n", "line 6: found 2e+30, expected coordinate x of at most 1e+30"},
        {GMSH2 "$Nodes\n1\n1 0 0\n$EndNodes\n", "line 6: found the end of the line, expected coordinate z"},
        {GMSH2 "$Nodes\n1\n1 0 0 0 0\n",
         "line 6: found '0', expected the end of the line after a node's coordinates"},
        {GMSH2 "$Nodes\n2\n1 0 0 0\n1 1 0 0\n$EndNodes\n",
         "line 7: found node id 1 a second time, expected it only at line 6"},
        {GMSH2 "$Nodes\n3\n1 0 0 0\n5 1 0 0\n1 1 0 0\n$EndNodes\n",
         "line 8: found node id 1 a second time, expected it only at line 6"},
        {GMSH2 "$Nodes\n3\n1 0 0 0\n500000000 1 0 0\n1 1 0 0\n$EndNodes\n",
         "line 8: found node id 1 a second time, expected it only at line 6"},
        {GMSH2 "$Nodes\n3\n1 0 0 0\n2 1 0 0\n$EndNodes\n", "line 8: found '$EndNodes', expected a node id"},
        {GMSH2 NODES2 "$Elements\n1\n1 4 2 1 2 3 4\n",
         "line 13: found 4 numbers after the tag count 2 of element 1, expected 6: the announced tags and "
         "the 4 nodes"},
        {GMSH2 NODES2 "$Elements\n1\n1 4 0 1 2 3 4 5\n", "line 13: found 5 numbers after the tag count 0"},
        {GMSH2 NODES2 "$Elements\n1\n1 4 0 1 2 3 5\n",
         "line 13: found '5', expected node 4 of 4 of a tetrahedron (an integer between 1 and 4)"},
        {GMSH2 NODES2 "$Elements\n1\n1 4 0 1 2 3 3\n",
         "line 13: found tetrahedron 0 (counted from 0) with node 3 twice, expected four different nodes"},
        {GMSH2 NODES2 "$Elements\n1\n1 11 0 1 2 3 4 5 6 7 8 9 10\n",
         "line 13: found elements of type 11 (second-order tetrahedra), expected first-order tetrahedra"},
        {GMSH2 NODES2 "$Elements\n1\n1 5 0 1 2 3 4 1 2 3 4\n", "type 5 (hexahedra)"},
        {GMSH2 NODES2 "$Elements\n1\n1 99 0 1\n", "type 99 (of no known kind)"},
        {GMSH2 NODES2 "$Elements\n1\n1 2 0 1 2 3\n$EndElements\n",
         "g.msh: found no tetrahedra, expected at least one"},
        {GMSH2 NODES2 "$Elements\n500\n1 2 0 1 2 3\n",
         "line 12: found a count of 500 elements, expected at most 1"},
        {GMSH2 "$PhysicalNames\n1\n2 1 left\n",
         "line 6: found 'left', expected the name of a physical group in double quotes"},
        {GMSH2 "$PhysicalNames\n1\n2 1 \"left\n", "line 6: found '\"left', expected a closing double quote"},
        {GMSH2 "$PhysicalNames\n1\n4 1 \"left\"\n",
         "line 6: found '4', expected the dimension of a physical group"},
        {GMSH2 "$Nodes\n4\n1 0 0 0\n20 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n$Elements\n1\n1 4 0 1 2 3 4\n",
         "line 13: found node id 2, which no node has, expected node 2 of 4 of a tetrahedron"},
    };
    ASSERT_REFUSED("g.msh", cases);
}
END_TEST

START_TEST(gmsh4)
{
    static const Case cases[] = {
        {GMSH4 "$Nodes\n1 2000000000 1 4\n", "line 5: found a count of 2000000000 nodes, expected at most"},
        {GMSH4 "$Nodes\n1 2 1 2\n3 1 0 3\n1\n2\n3\n",
         "line 6: found '3', expected the number of nodes in a block (an integer between 0 and 2)"},
        {GMSH4 "$Nodes\n1 2 1 2\n3 1 0 1\n1\n0 0 0\n$EndNodes\n", "found 1 nodes in 1 blocks, expected 2"},
        {GMSH4 "$Nodes\n1 2 1 2\n3 1 0 2\n1\n2\n0 0 0\n0 1\n$EndNodes\n",
         "line 10: found the end of the line, expected coordinate z"},
        {GMSH4 "$Nodes\n1 2 1 2\n3 1 0 2\n1\n1\n0 0 0\n0 1 0\n$EndNodes\n",
         "line 8: found node id 1 a second time, expected it only at line 7"},
        {GMSH4 NODES4 "$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 9\n",
         "line 19: found '9', expected node 4 of 4 of a tetra"},
        {GMSH4 NODES4 "$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3\n",
         "line 19: found the end of the line, expected node 4"},
        {GMSH4 NODES4 "$Elements\n1 1 1 1\n3 1 4 2\n1 1 2 3 4\n",
         "line 18: found '2', expected the number of elements"},
        {GMSH4 NODES4 "$Elements\n1 2 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n",
         "found 1 elements in 1 blocks, expected 2"},
        {GMSH4 NODES4 "$Elements\n1 1 1 1\n3 1 17 1\n1 1 2 3 4\n",
         "line 18: found elements of type 17 (second-order hexahedra)"},
        {GMSH4 NODES4
         "$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n$Entities\n0 0 0 0\n$EndEntities\n",
         "line 21: found $Entities after $Elements"},
        {GMSH4 "$Entities\n0 0 0 1\n1 0 0 0 1 1 1 900 1\n",
         "line 6: found a count of 900 physical tags, expected at most 2"},
    };
    ASSERT_REFUSED("g.msh", cases);
}
END_TEST

START_TEST(degenerate_tetrahedra)
{
    static const Case flat[] = {
        {GMSH2
         "$Nodes\n4\n11 0 0 0\n12 1 0 0\n13 0 1 0\n14 1 1 0\n$EndNodes\n$Elements\n1\n1 4 0 11 12 13 14\n"
         "$EndElements\n",
         "g.msh: line 13: found degenerate tetrahedron 0 (counted from 0; nodes 11 12 13 14, at (0, 0, 0)) "
         "of volume 0, expected more than 1e-14 times its longest edge (1.41421) cubed"},
        {GMSH2 "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1e-14\n$EndNodes\n$Elements\n1\n1 4 0 1 2 3 "
               "4\n$EndElements\n",
         "line 13: found degenerate tetrahedron 0"},
        {GMSH2 "$Nodes\n4\n1 0 0 0\n2 1e-200 0 0\n3 0 1e-200 0\n4 0 0 1e-200\n$EndNodes\n$Elements\n1\n1 4 0 "
               "1 2 3 4\n"
               "$EndElements\n",
         "line 13: found degenerate tetrahedron 0"},
    };
    ASSERT_REFUSED("g.msh", flat);
    // A thin one is none of our business.
    const char *thin =
        GMSH2 "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1e-9\n$EndNodes\n$Elements\n1\n1 4 0 1 2 3 4\n"
              "$EndElements\n";
    ASSERT_OK(context, parse("g.msh", thin, strlen(thin), NULL));
}
END_TEST

START_TEST(medit)
{
#define MEDIT "MeshVersionFormatted 2\nDimension 3\n"
#define VERTICES "Vertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n"
    static const Case cases[] = {
        {"Vertices\n", "m.mesh: line 1: found 'Vertices', expected MeshVersionFormatted"},
        {"MeshVersionFormatted 9\n", "line 1: found '9', expected format version 1 to 4"},
        {"MeshVersionFormatted 2\nDimension 2\n", "line 2: found '2', expected dimension 3"},
        {MEDIT "Vertices\n2000000000\n0 0 0 0\n",
         "line 4: found a count of 2000000000 vertices, expected at most"},
        {MEDIT "Vertices\n1\n0 0 0\n", "line 5: found the end of the line, expected a reference number"},
        {MEDIT "Tetrahedra\n1\n1 2 3 4 0\n", "line 3: found Tetrahedra before Vertices"},
        {MEDIT VERTICES "Tetrahedra\n1\n1 2 3 5 0\n",
         "line 11: found '5', expected node 4 of 4 of a tetrahedron"},
        {MEDIT VERTICES "Tetrahedra\n1\n0 2 3 4 0\n",
         "line 11: found '0', expected node 1 of 4 of a tetrahedron (an integer between 1 and 4)"},
        {MEDIT VERTICES "Tetrahedra\n1\n1 2 3 4\nEnd\n",
         "line 11: found the end of the line, expected a reference"},
        {MEDIT VERTICES "Hexahedra\n1\n1 2 3 4 1 2 3 4 0\n",
         "found Hexahedra, expected first-order tetrahedra only"},
        {MEDIT VERTICES VERTICES, "found a second section Vertices"},
        {MEDIT VERTICES "End\n", "m.mesh: found no tetrahedra"},
        {MEDIT "7\n", "line 3: found '7', expected a keyword such as Vertices"},
    };
    ASSERT_REFUSED("m.mesh", cases);
}
END_TEST

START_TEST(tetgen)
{
    static const struct {
        const char *nodes, *elements, *expected;
    } cases[] = {
        {"", "", "t.node: line 1: found the end of the file, expected the number of nodes"},
        {"1 2 0 0\n0 0 0\n", "", "t.node: line 1: found '2', expected dimension 3"},
        {"2000000000 3 0 0\n", "", "t.node: line 1: found a count of 2000000000 nodes"},
        {"1 3 0 0\n2 0 0 0\n", "",
         "t.node: line 2: found '2', expected a node index, ascending by one from 0 or 1"},
        {"2 3 0 0\n1 0 0 0\n3 0 0 0\n", "",
         "t.node: line 3: found '3', expected a node index, ascending by one"},
        {"2 3 1 0\n1 0 0 0\n2 0 0 0\n", "",
         "t.node: line 2: found the end of the line, expected an attribute"},
        {"1 3 0 0\n1 0 0 0\n", "1 10 0\n1 1 1 1 1 1 1 1 1 1 1\n",
         "t.ele: line 1: found 10 nodes per tetrahedron (second order), expected 4"},
        {"1 3 0 0\n1 0 0 0\n", "9 4 0\n1 1 1 1 1\n", "t.ele: line 1: found a count of 9 tetrahedra"},
        {"4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n", "1 4 0\n0 0 1 2 4\n",
         "t.ele: line 2: found '4', expected node 4 of 4 of a tetrahedron (an integer between 0 and 3)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        ck_assert_int_eq(parse("t.node", cases[i].nodes, strlen(cases[i].nodes), cases[i].elements),
                         VELA_ERROR_INVALID_INPUT);
        assert_message("t.node", cases[i].expected);
    }
}
END_TEST

START_TEST(vtk)
{
#define VTK "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\n"
#define POINTS "POINTS 4 float\n0 0 0 1 0 0 0 1 0 0 0 1\n"
    static const Case cases[] = {
        {"hello\n", "v.vtk: line 1: found 'hello', expected '# vtk DataFile Version'"},
        {"# vtk DataFile Version 9.0\n", "line 1: found version 9, expected 1 to 5"},
        {"# vtk DataFile Version 3.0\nt\nUTF8\n", "line 3: found 'UTF8', expected ASCII or BINARY"},
        {"# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\n",
         "line 4: found 'POLYDATA', expected UNSTRUCTURED_GRID"},
        {VTK "POINTS 2000000000 float\n0 0 0\n", "line 5: found a count of 2000000000 points"},
        {VTK "POINTS 1 complex\n0 0 0\n", "line 5: found 'complex', expected a number type"},
        {VTK "CELLS 1 5\n4 0 1 2 3\n", "found CELLS before POINTS"},
        {VTK POINTS "CELL_TYPES 1\n10\n", "found CELL_TYPES before CELLS"},
        {VTK POINTS "CELLS 1 5\n4 0 1 2 3\n", "found no section CELL_TYPES"},
        {VTK POINTS "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 2\n10 10\n",
         "line 9: found '2', expected the number of cell types"},
        {VTK POINTS "CELLS 1 5\n4 0 1 2 4\nCELL_TYPES 1\n10\n",
         "line 8: found '4', expected node 4 of 4 of a tetrahedron"},
        {VTK POINTS "CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n10\n",
         "line 8: found tetrahedron with 3 nodes (cell 0), expected 4"},
        {VTK POINTS "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n24\n",
         "line 10: found cell 0 of type 24 (second-order tetrahedron)"},
        {VTK POINTS "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n14\n", "found cell 0 of type 14 (pyramid)"},
        {VTK POINTS "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n77\n", "found cell 0 of type 77 (no known kind)"},
        {VTK POINTS "CELLS 1 6\n4 0 1 2 3 0\nCELL_TYPES 1\n10\n",
         "found 5 numbers in CELLS, expected the announced 6"},
        {VTK POINTS "CELLS 2 5\n4 0 1 2 3 0\n",
         "found 5 numbers in 1 of 2 cells, expected more than the announced 5"},
        {VTK "LINES 1 2\n", "line 5: found 'LINES', expected POINTS, CELLS or CELL_TYPES"},
    };
    ASSERT_REFUSED("v.vtk", cases);
}
END_TEST

START_TEST(surfaces)
{
    static const Case obj[] = {
        {"", "s.obj: found no vertices"},
        {"v 0 0 0\n", "s.obj: found no faces"},
        {"v 0 0\n", "s.obj: line 1: found the end of the line, expected coordinate z"},
        {"hello\n", "line 1: found 'hello', expected a line of an OBJ file"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n", "line 4: found a face of 2 corners, expected at least 3"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\n\nf 1 2 4\n",
         "line 5: found vertex 4 in a face, expected one between 1 and 3"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n", "line 4: found '0', expected a vertex of a face, from 1"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf -4 1 2\n", "line 4: found '-4', expected a vertex of a face"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf /1 1 2\n", "line 4: found "},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 1 2\n", "s.obj: found no triangle with three different nodes"},
    };
    static const Case off[] = {
        {"3 1 0\n", "s.off: line 1: found '3', expected OFF"},
        {"OFF\n2000000000 1 0\n0 0 0\n", "line 2: found a count of 2000000000 vertices"},
        {"OFF\n3 900 0\n0 0 0\n1 0 0\n0 1 0\n", "line 2: found a count of 900 faces"},
        {"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n",
         "line 6: found '3', expected a corner of a face (an integer between 0 and 2)"},
        {"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 inf\n3 0 1 2\n", "line 5: found 'inf', expected coordinate z"},
        {"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1\n",
         "line 6: found the end of the line, expected a corner of a face"},
    };
    static const Case ply[] = {
        {"plx\n", "s.ply: line 1: found 'plx', expected ply"},
        {"ply\nformat binary 1.0\n", "line 2: found 'binary', expected ascii, binary_little_endian or"},
        {"ply\nformat ascii 1.0\nelement vertex 2000000000\n",
         "line 3: found a count of 2000000000 elements"},
        {"ply\nformat ascii 1.0\nproperty float x\n", "line 3: found a property before the first element"},
        {"ply\nformat ascii 1.0\nelement vertex 1\nproperty quad x\n",
         "line 4: found 'quad', expected a PLY number type"},
        {"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float x\n",
         "line 5: found property x a second time"},
        {"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n",
         "found no properties x, y and z"},
        {"ply\nformat ascii 1.0\nelement face 1\nproperty list float int vertex_indices\n",
         "counted by floating point"},
        {"ply\nformat ascii 1.0\nhello\n",
         "line 3: found 'hello', expected element, property, comment or end_header"},
    };
    static const Case stl[] = {
        {"hello", "s.stl: line 1: found 'hello', expected solid"},
        {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0\n",
         "line 5: found the end of the file, expected coordinate z"},
        {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 nan\n",
         "line 4: found 'nan', expected coordinate z"},
        {"solid\nfacet normal 0 0 1\nouter loop\nendloop\n", "line 4: found 'endloop', expected vertex"},
        {"solid\nendsolid\n", "s.stl: found no vertices"},
    };
    ASSERT_REFUSED("s.obj", obj);
    ASSERT_REFUSED("s.off", off);
    ASSERT_REFUSED("s.ply", ply);
    ASSERT_REFUSED("s.stl", stl);
}
END_TEST

/// Puts `value` at `at` bytes behind the first `mark` in a seed and parses it.
static void assert_broken(Seed *seed, const char *mark, size_t at, int32_t value, const char *expected)
{
    Bytes *file = &seed->files[0];
    char *place = file->data;
    while (memcmp(place, mark, strlen(mark)) != 0)
        ++place;
    char kept[4];
    memcpy(kept, place + at, 4);
    memcpy(place + at, &value, 4);
    ck_assert_int_eq(parse(seed->name, file->data, file->size, NULL), VELA_ERROR_INVALID_INPUT);
    assert_message(seed->name, expected);
    memcpy(place + at, kept, 4);
}

START_TEST(binary_files)
{
    Seed seeds[SEED_COUNT];
    seeds_make(seeds);
    assert_broken(&seeds[1], "2.2 1 8", 8, 7,
                  "binary22.msh: byte 20: found 7, expected the integer 1 in either byte order");
    assert_broken(&seeds[1], "$Nodes", 9, -5, "binary22.msh: byte 120: found -5, expected a node id");
    assert_broken(&seeds[1], "$Elements", 13, 11,
                  "byte 372: found elements of type 11 (second-order tetrahedra)");
    assert_broken(&seeds[1], "$Elements", 17, 50,
                  "byte 372: found 50, expected the number of elements in a block");
    assert_broken(&seeds[4], "$Nodes", 15, 2000000000, "nodes, expected at most");
    assert_broken(&seeds[15], "end_header", 11, 0x7fc00000,
                  "found nan, expected coordinate x (a finite number)");
    assert_broken(&seeds[18], "solid", 80, 2000000000,
                  "binary.stl: byte 84: found a count of 2000000000 facets, expected at most 12");
    // Cut anywhere, every binary file is refused, with a place in bytes.
    const int binary[7] = {1, 2, 4, 5, 15, 16, 18};
    for (int b = 0; b < 7; ++b) {
        const Bytes *file = &seeds[binary[b]].files[0];
        for (size_t size = 0; size + 16 < file->size; ++size) {
            char *cut = malloc(size + 1);
            ck_assert_ptr_nonnull(cut);
            memcpy(cut, file->data, size);
            cut[size] = 0;
            ck_assert_int_eq(parse(seeds[binary[b]].name, cut, size, NULL), VELA_ERROR_INVALID_INPUT);
            assert_message(seeds[binary[b]].name, "found");
            free(cut);
        }
    }
    seeds_free(seeds);
}
END_TEST

static void assert_logged(const char *text, const char *expected)
{
    logged[0] = 0;
    ASSERT_OK(context, parse("g.msh", text, strlen(text), NULL));
    ck_assert_msg(strstr(logged, expected) != NULL, "\"%s\" lacks \"%s\"", logged, expected);
}

#define NODES6 "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n6 -1 -1 -1\n$EndNodes\n"

START_TEST(oddities_are_reported)
{
    assert_logged(GMSH2 NODES6 "$Elements\n2\n1 4 0 1 2 3 4\n2 4 0 2 3 5 4\n$EndElements\n",
                  "g.msh: nodes that belong to no element: 1, the first is node 6 at (-1, -1, -1)");
    assert_logged(GMSH2 NODES6 "$Elements\n2\n1 4 0 1 2 3 4\n2 4 0 2 3 4 5\n$EndElements\n",
                  "g.msh: nodes that belong to no element: 1, ");
    assert_logged(GMSH2 NODES6 "$Elements\n2\n1 4 0 1 2 3 4\n2 4 0 2 3 5 4\n$EndElements\n",
                  "g.msh: tetrahedra that were oriented negatively and have been turned: 1 of 2, the first "
                  "is 1 (line 16)");
    assert_logged(
        GMSH2 NODES6 "$Elements\n3\n1 4 0 1 2 3 4\n2 4 0 2 3 4 5\n3 4 0 4 3 2 1\n$EndElements\n",
        "g.msh: tetrahedra that repeat another one and have been dropped: 1, the first is 2 (line 17), "
        "which repeats 0");
    assert_logged(
        GMSH2 NODES6 "$Elements\n3\n1 4 0 1 2 3 4\n2 4 0 2 3 4 5\n3 4 0 2 3 4 6\n$EndElements\n",
        "g.msh: faces that have more than two tetrahedra: 1, the first has nodes 2 3 4 at (1, 0, 0), of "
        "tetrahedron 0");
    assert_logged(GMSH2 NODES6 "$Elements\n2\n1 4 0 1 2 3 4\n2 4 0 2 3 4 6\n$EndElements\n",
                  "g.msh: faces that have two tetrahedra on the same side: 1, the first has nodes 2 3 4");
    // Two tets that share an edge only: four boundary triangles at it.
    assert_logged(
        GMSH2 "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 0 -1 0\n6 0 0 -1\n$EndNodes\n"
              "$Elements\n2\n1 4 0 1 2 3 4\n2 4 0 1 2 5 6\n$EndElements\n",
        "g.msh: edges of the boundary that have more than two triangles: 1, the first is 1-2 at (0, 0, 0)");
    // The same element in two groups, as Gmsh 2.2 writes it, stays in both.
    const char *twice = GMSH2 NODES2 "$Elements\n2\n1 4 2 1 1 1 2 3 4\n2 4 2 2 1 1 2 3 4\n$EndElements\n";
    const MeshSource source = {"g.msh", twice, strlen(twice)};
    TetMesh mesh;
    ASSERT_OK(context, mesh_parse_tets(context, MESH_FORMAT_GMSH, &source, &arena, &mesh));
    ck_assert_int_eq(mesh.tet_count, 1);
    ck_assert_int_eq(mesh.group_count, 2);
}
END_TEST

START_TEST(surface_oddities_are_reported)
{
    static const Case cases[] = {
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 2 3 4\nf 3 1 4\n",
         "s.obj: edges of the surface that are passed by both their triangles in the same direction: 3, "},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 2 1 4\nf 3 2 4\nf 1 3 4\n",
         "s.obj: the surface is closed and its triangles face inwards (volume -0.166667)"},
        {"v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n",
         "s.obj: triangles without area: 1, the first is 0, at (0, 0, 0)"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 1 3\n",
         "s.obj: triangles with a node twice, which have been dropped: 1, the first is 1 (line 5)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        logged[0] = 0;
        ASSERT_OK(context, parse("s.obj", cases[i].text, strlen(cases[i].text), NULL));
        ck_assert_msg(strstr(logged, cases[i].expected) != NULL, "\"%s\" lacks \"%s\"", logged,
                      cases[i].expected);
    }
}
END_TEST

START_TEST(names_of_files)
{
    TetMesh mesh;
    TriangleMesh surface;
    ck_assert_int_eq(mesh_read_tets(context, "folder.x/mesh", &arena, &mesh), VELA_ERROR_INVALID_INPUT);
    assert_message("", "folder.x/mesh: found the ending '', expected .msh, .mesh, .node, .ele or .vtk");
    ck_assert_int_eq(mesh_read_triangles(context, "a.stp", &arena, &surface), VELA_ERROR_INVALID_INPUT);
    assert_message("", "a.stp: found the ending '.stp', expected .obj, .ply, .stl or .off");
    ck_assert_int_eq(mesh_read_tets(context, "/nowhere/a.msh", &arena, &mesh), VELA_ERROR_INVALID_INPUT);
    assert_message("", "/nowhere/a.msh: cannot be opened");
    ck_assert_int_eq(mesh_parse_tets(context, MESH_FORMAT_OBJ, &(MeshSource){"a.obj", "", 0}, &arena, &mesh),
                     VELA_ERROR_INVALID_INPUT);
    assert_message("", "a.obj: found a surface, expected a tetrahedral mesh");
    ck_assert_int_eq(
        mesh_parse_triangles(context, MESH_FORMAT_VTK, &(MeshSource){"a.vtk", "", 0}, &arena, &surface),
        VELA_ERROR_INVALID_INPUT);
    assert_message("", "a.vtk: found a tetrahedral mesh, expected a surface");
}
END_TEST

/// A small file must not make groups without end: elements in hundreds of groups are refused.
START_TEST(too_many_groups)
{
    Bytes text = {0};
    bytes_text(&text, GMSH4 "$Entities\n0 0 0 1\n1 0 0 0 1 1 1 3000 ");
    for (int i = 0; i < 3000; ++i)
        bytes_text(&text, "%d ", i + 1);
    bytes_text(&text, "0\n$EndEntities\n" NODES4 "$Elements\n500 500 1 500\n");
    for (int b = 0; b < 500; ++b)
        bytes_text(&text, "3 1 4 1\n%d 1 2 3 4\n", b + 1);
    bytes_text(&text, "$EndElements\n");
    ck_assert_int_eq(parse("g.msh", text.data, text.size, NULL), VELA_ERROR_INVALID_INPUT);
    assert_message("g.msh", "found elements that are in more than 64 groups on average");
    free(text.data);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mesh_errors");
    TCase *tests = tcase_create("errors");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, gmsh2);
    tcase_add_test(tests, gmsh4);
    tcase_add_test(tests, degenerate_tetrahedra);
    tcase_add_test(tests, medit);
    tcase_add_test(tests, tetgen);
    tcase_add_test(tests, vtk);
    tcase_add_test(tests, surfaces);
    tcase_add_test(tests, binary_files);
    tcase_add_test(tests, oddities_are_reported);
    tcase_add_test(tests, surface_oddities_are_reported);
    tcase_add_test(tests, names_of_files);
    tcase_add_test(tests, too_many_groups);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
