//! What imports or uses X (RepoQA-SA, dependency questions).

use super::Kind;
use super::say::Say;
use super::subject::Subject;
use super::teller::Teller;
use super::wording::Read;

pub(super) const KIND: Kind = Kind {
    name: "importers",
    wordings: &[
        "what|who|which files|modules|classes|functions|parts|code|places? else? depends_on|depend_on|imports|import|uses|use|requires|require|relies_on|rely_on|needs|need X",
        "where is|are X imported|used|required",
        "ASK? files|modules|places|code that|which? depends_on|depend_on|imports|import|uses|use|requires|require|relies_on|rely_on|needs|need X",
        "ASK? importers|dependents|users REL X",
        "ASK files|modules|code is|are|be? dependent_on|using|importing|requiring X",
        "who|what is dependent_on|using|importing|requiring X",
        "X importers|dependents",
        "X is|are imported|used|required by which|what|whom files|modules?",
        "by which|what files|modules? is|are X imported|used|required",
    ],
    state,
};

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let Some(x) = teller.subject(&read.x).filter(|x| *x != Subject::Project) else {
        return false;
    };
    let mut say = Say::new(teller);
    say.importers(&x);
    say.is_said()
}
