//! Who calls X.

use super::Kind;
use super::say::Say;
use super::teller::Teller;
use super::wording::Read;
use crate::index::tokens::question_tokens;

pub(super) const KIND: Kind = Kind {
    name: "callers",
    wordings: &[
        "what|who|which|how_many functions|methods|code|places|parts|callers|tests? else? CALL X",
        "where|from_where DO X CALL from?",
        "ASK? callers|caller|callsites|call_sites REL? X",
        "ASK? functions|methods|places|code|everything REL? that|which? CALL X",
        "who|what else? DO CALL X",
        "what|which functions|methods X DO CALL by|from",
        "X DO CALL by|from where|who|what|whom|which|anywhere functions|methods|function|method?",
        "by|from what|whom|which|where functions|methods|function|method? DO X CALL",
        "X callers",
        "ASK? calls of|to X",
        "what|which|how_many @files|modules CALL X",
        "what|which @files|modules X DO CALL by|from|in",
        "in? which|what @files|modules is|are X CALL",
        "ASK? @files|modules REL? that|which? CALL X",
        "X DO CALL by|from|in which|what @files|modules",
    ],
    state,
};

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let Some(x) = teller.symbols_subject(&read.x) else {
        return false;
    };
    // All callers are listed, tests or not.
    let asked = question_tokens(teller.question.text());
    teller.is_guess = asked.iter().any(|word| word == "test" || word == "tests");
    let mut say = Say::new(teller);
    match read.word.is_empty() {
        true => say.callers(&x),
        false => say.calling_files(&x),
    }
    say.is_said()
}
