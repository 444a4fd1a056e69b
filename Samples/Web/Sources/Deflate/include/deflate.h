#ifndef DEFLATE_H
#define DEFLATE_H

#include <zlib.h>

// Swift does not see the macro that zlib has for this call.
static inline int deflate_begin_gzip(z_stream *stream) {
    return deflateInit2(stream, 5, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

#endif
