// zlib, which every Debian system has, because its package manager needs it: https://zlib.net/manual.html

#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

#include <zlib.h>

#endif
