/// Result codes, the context that carries log messages and errors, and version.
#ifndef VELA_CONTEXT_H
#define VELA_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a call came to. The context holds the message that goes with anything but VELA_OK.
typedef enum VelaResult {
    VELA_OK = 0,
    VELA_ERROR_INVALID_INPUT,    ///< the scene, a mesh or an argument is wrong (the program's exit code 2)
    VELA_ERROR_OUT_OF_MEMORY,    ///< host or device memory is exhausted, or a limit set by the user
    VELA_ERROR_IO,               ///< a file cannot be read or written
    VELA_ERROR_NO_DEVICE,        ///< no Vulkan driver, or none that fits
    VELA_ERROR_DEVICE,           ///< the device was lost or refused a shader
    VELA_ERROR_NOT_CONVERGED,    ///< a step could not be solved
    VELA_ERROR_INTERRUPTED,      ///< vela_context_interrupt was called
    VELA_ERROR_BEYOND_TOLERANCE, ///< a comparison ran, and its deviation is too large
    VELA_ERROR_VERIFICATION,     ///< a state is not what VelaRunDef.verify expects
    VELA_ERROR_UNSUPPORTED,      ///< not in this version, or not in this build
    VELA_ERROR_INTERNAL,         ///< a mistake of vela itself: please report the message
} VelaResult;

typedef enum VelaLogLevel { VELA_LOG_ERROR, VELA_LOG_WARNING, VELA_LOG_INFO, VELA_LOG_DEBUG } VelaLogLevel;

/// Receives one message (no newline at its end). `message` is valid during the call only.
typedef void (*VelaLogFunction)(void *user, VelaLogLevel level, const char *message);

typedef struct VelaContextDef {
    VelaLogFunction log; ///< default NULL: messages are dropped
    void *log_user;      ///< passed to `log`; owned by the caller
    size_t memory_limit; ///< bytes of host memory vela may hold; default 0: no limit
    int32_t threads;     ///< OpenMP threads; default 0: as many as the machine has cores
    uint32_t cookie;     ///< set by vela_default_context_def; do not touch
} VelaContextDef;

/// Opaque. Holds the log callback, the message of the last error, memory accounting. One per thread of use.
typedef struct VelaContext VelaContext;

VelaContextDef vela_default_context_def(void);
/// Creates a context; free it with vela_context_destroy. Fails with VELA_ERROR_INVALID_INPUT for a `def` that
/// did not come from vela_default_context_def, VELA_ERROR_OUT_OF_MEMORY.
VelaResult vela_context_create(const VelaContextDef *def, VelaContext **context);
/// Frees it. NULL is allowed. Everything made with the context must be destroyed before.
void vela_context_destroy(VelaContext *context);
/// The message of the last call that failed ("" if none did). Owned by the context, valid until the next
/// failure.
const char *vela_context_message(const VelaContext *context);
/// Asks whatever runs with this context to stop at the next safe place. Safe in a signal handler. The call that stops
/// for it (VELA_ERROR_INTERRUPTED) has answered it: the next one runs.
void vela_context_interrupt(VelaContext *context);

/// For a signal handler that ends the process at once: says in the run.json of a run that goes on with this context that it was
/// interrupted. Nothing else is in order afterwards. NULL is allowed.
void vela_context_abandon(VelaContext *context);

/// "0.1.0"
const char *vela_version(void);
/// The git revision this library was built from, "unknown" outside a checkout.
const char *vela_revision(void);

#ifdef __cplusplus
}
#endif
#endif
