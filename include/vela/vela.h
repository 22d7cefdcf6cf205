/// Everything vela offers: one include for programs that use the library.
#ifndef VELA_VELA_H
#define VELA_VELA_H

#include "vela/check.h"
#include "vela/compare.h"
#include "vela/context.h"
#include "vela/devices.h"
#include "vela/export.h"
#include "vela/render.h"
#include "vela/run.h"

#endif
