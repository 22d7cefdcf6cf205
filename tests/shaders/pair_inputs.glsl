// Positions and vectors of a case whose numbers are in the buffer `inputs`.

real3 input_vector(uint at, uint vertex)
{
    return real3(inputs[at + 3u * vertex], inputs[at + 3u * vertex + 1u], inputs[at + 3u * vertex + 2u]);
}

/// The leading parts stand at `at`, what they are more than that 12 numbers behind.
Exact3 input_position(uint at, uint vertex)
{
    return exact3_add(exact3(input_vector(at, vertex)), exact3(input_vector(at + 12u, vertex)));
}
