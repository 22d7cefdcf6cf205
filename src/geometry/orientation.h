/// Exact signs: on which side of a line or a plane a point lies, whatever the rounding. Computed in double precision with
/// a bound of its error, and where that does not decide in exact arithmetic on sums of doubles (Shewchuk 1997).
///
/// Exact for coordinates that are 0 or between 1e-60 and 1e60 in size; products of others may underflow or overflow.
#ifndef GEOMETRY_ORIENTATION_H
#define GEOMETRY_ORIENTATION_H

/// Sign (-1, 0, 1) of (a - c) x (b - c) in the plane: 1 if a, b, c turn counterclockwise.
int orientation2(const double a[2], const double b[2], const double c[2]);

/// Sign (-1, 0, 1) of (a - d).((b - d) x (c - d)): 1 if a, b, c turn counterclockwise seen from the side that d is not on. A
/// tetrahedron of positive volume has orientation3(x_1, x_2, x_3, x_0) = 1.
int orientation3(const double a[3], const double b[3], const double c[3], const double d[3]);

/// Sign (-1, 0, 1) of n.(x - c).
int side_of_plane(const double n[3], const double c[3], const double x[3]);

#endif
