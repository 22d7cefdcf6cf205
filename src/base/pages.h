/// Pages of memory that is about to be filled.
#ifndef BASE_PAGES_H
#define BASE_PAGES_H

#include <stddef.h>

/// Asks the system for all pages of `bytes` bytes at once. Where they come one by one, each when it is touched first, a page and its first use take
/// twice as long on a virtual machine (bench/README.md). Each of so many threads asks for its share, whose iterations of loops over the memory are
/// mostly its own. What is there stays as it is; where the system knows no such request nothing happens.
void pages_fetch(void *memory, size_t bytes, int threads);

#endif
