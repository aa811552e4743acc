//! What imports or uses X (RepoQA-SA, dependency questions).

use super::Kind;
use super::say::Say;
use super::subject::Subject;
use super::teller::Teller;
use super::wording::Read;

pub(super) const KIND: Kind = Kind {
    name: "importers",
    wordings: &[
        "what|who|which|how_many files|modules|classes|functions|parts|code|places|folders|packages? else? USE X",
        "which|what|how_many source|own files|modules else? USE X",
        "where DO X USE",
        "ASK? @files|modules|places|code|classes|folders REL? that|which? USE X",
        "ASK? importers|dependents|users|importer REL? X",
        "ASK? files|modules|code DO USE X",
        "who|what DO USE X",
        "X importers|dependents|users",
        "X DO USE by which|what|whom files|modules?",
        "by which|what files|modules|of_them? DO X USE",
        "ASK? imports of X",
    ],
    state,
};

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let Some(x) = teller.subject(&read.x).filter(|x| *x != Subject::Project) else {
        return false;
    };
    let mut say = Say::new(teller);
    match read.is_indirect {
        true => say.dependents(&x),
        false => say.importers(&x),
    }
    say.is_said()
}
