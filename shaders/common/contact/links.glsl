// The links of nodes that contact holds together (abi/contact_groups.h). Declare the buffer `links` before.
#ifndef COMMON_CONTACT_LINKS_GLSL
#define COMMON_CONTACT_LINKS_GLSL

#include "abi/contact_groups.h"

uint link(uint node, uint which)
{
    return links[4u * node + which];
}

#endif
