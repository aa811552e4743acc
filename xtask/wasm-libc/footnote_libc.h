// What the scanners of some grammars need and the headers of `tree-sitter-language` lack on
// wasm32-unknown-unknown. Forced in with -include; tree-sitter's own C subset provides the rest.
#ifndef FOOTNOTE_LIBC_H_
#define FOOTNOTE_LIBC_H_

#include <ctype.h>
#include <stdlib.h>
#include <wchar.h>

// bash
static inline int isdigit(int c) { return c >= '0' && c <= '9'; }
static inline int isalpha(int c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }
static inline int isalnum(int c) { return isdigit(c) || isalpha(c); }
static inline int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static inline int isupper(int c) { return c >= 'A' && c <= 'Z'; }
static inline int islower(int c) { return c >= 'a' && c <= 'z'; }
static inline int tolower(int c) { return isupper(c) ? c + 32 : c; }
static inline int toupper(int c) { return islower(c) ? c - 32 : c; }

// cpp
#if !defined(__cplusplus) && !defined(static_assert)
#define static_assert _Static_assert
#endif

// swift
__attribute__((noreturn)) static inline void exit(int status) {
  (void)status;
  __builtin_trap();
}

#endif // FOOTNOTE_LIBC_H_
