//! Whether X and Y use each other (RepoQA-SA, dependency questions).

use super::Kind;
use super::say::Say;
use super::subject::Subject;
use super::teller::Teller;
use super::wording::Read;

pub(super) const KIND: Kind = Kind {
    name: "coupled",
    wordings: &[
        "are|how_are|how_tightly_are|how_strongly_are X and Y coupled|connected|tightly_coupled|highly_coupled|strongly_coupled|loosely_coupled|dependent|interdependent|related to|on? each? other?",
        "is X coupled|tightly_coupled|highly_coupled|strongly_coupled|connected|related to|with Y",
        "do|does X and Y use|import|depend_on|call|need|know|reference each_other",
        "is|are there a|any? coupling|dependency|circular_dependency|cycle|cyclic_dependency between X and Y",
        "ASK? coupling|dependency|dependencies|relation|relationship|connection REL? between X and Y",
    ],
    state,
};

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let y = read.y.as_deref().unwrap_or_default();
    let (Some(x), Some(y)) = (teller.subject(&read.x), teller.subject(y)) else {
        return false;
    };
    if x == Subject::Project || y == Subject::Project {
        return false;
    }
    let mut say = Say::new(teller);
    say.coupled(&x, &y);
    say.is_said()
}
