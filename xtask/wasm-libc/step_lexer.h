// Takes the loop out of a grammar's lexer, for the compiler's sake. Forced in with -include.
//
// A generated lexer is one loop around a switch with a case for each of its states, thousands of
// them. LLVM's pass that removes irreducible control flow for wasm32 computes which blocks of a
// loop reach which, in quadratic time and memory: for Swift's lexer it takes minutes and 5 GB. Here
// `ts_lex` is the loop and `ts_lex_step` the switch, which then has no loop to look into. The
// macros mean what those of tree-sitter's `parser.h` do.
#ifndef FOOTNOTE_STEP_LEXER_H_
#define FOOTNOTE_STEP_LEXER_H_

#if !defined(__cplusplus) && __has_include("tree_sitter/parser.h")
#include "tree_sitter/parser.h"

#ifdef START_LEXER

// What one step tells the next.
typedef struct {
  TSStateId state;
  bool skip;
  // Whether a token was accepted.
  bool result;
} FootnoteStep;

#undef START_LEXER
#undef ADVANCE
#undef ADVANCE_MAP
#undef SKIP
#undef ACCEPT_TOKEN
#undef END_STATE

#define START_LEXER()                                \
  __attribute__((unused)) bool eof = false;          \
  int32_t lookahead = lexer->lookahead;              \
  step->skip = false;

// A step returns whether the lexer advances.
#define ADVANCE(state_value)     \
  {                              \
    step->state = (state_value); \
    return true;                 \
  }

#define ADVANCE_MAP(...)                                              \
  {                                                                   \
    static const uint16_t map[] = {__VA_ARGS__};                      \
    for (uint32_t i = 0; i < sizeof(map) / sizeof(map[0]); i += 2) {  \
      if (map[i] == lookahead) ADVANCE(map[i + 1])                    \
    }                                                                 \
  }

#define SKIP(state_value)  \
  {                        \
    step->skip = true;     \
    ADVANCE(state_value)   \
  }

#define ACCEPT_TOKEN(symbol_value)     \
  step->result = true;                 \
  lexer->result_symbol = symbol_value; \
  lexer->mark_end(lexer);

#define END_STATE() return false;

#define FOOTNOTE_LEXER(name)                                                               \
  static bool name##_step(TSLexer *lexer, TSStateId state, FootnoteStep *step);            \
  __attribute__((unused)) static bool name(TSLexer *lexer, TSStateId state) {              \
    FootnoteStep step = {state, false, false};                                             \
    while (name##_step(lexer, step.state, &step)) lexer->advance(lexer, step.skip);        \
    return step.result;                                                                    \
  }

#pragma clang diagnostic push
// Scanners include this too and have no lexer.
#pragma clang diagnostic ignored "-Wundefined-internal"
FOOTNOTE_LEXER(ts_lex)
FOOTNOTE_LEXER(ts_lex_keywords)
#pragma clang diagnostic pop

// With brackets behind it, the name is that of the generated definition. In the table of a
// language it stands alone and means the loop.
#define ts_lex(lexer, state) ts_lex_step(lexer, state, FootnoteStep *step)
#define ts_lex_keywords(lexer, state) ts_lex_keywords_step(lexer, state, FootnoteStep *step)

#endif // START_LEXER
#endif // tree_sitter/parser.h
#endif // FOOTNOTE_STEP_LEXER_H_
