//! Whether X and Y use each other (RepoQA-SA, dependency questions).

use super::Kind;
use super::say::Say;
use super::subject::Subject;
use super::teller::Teller;
use super::wording::Read;

pub(super) const KIND: Kind = Kind {
    name: "coupled",
    wordings: &[
        "DO X and Y @each_other|one_another|mutually USE",
        "how_are|how_tightly_are|how_strongly_are|how_closely_are X and Y ANY coupled|connected|dependent|interdependent|related|linked|intertwined to|on|with?",
        "DO X and Y how|very|highly|tightly|strongly|loosely|closely|mutually|at_all? coupled|connected|dependent|interdependent|related|linked|intertwined to|on|with? @each_other|one_another?",
        "DO X very|highly|tightly|strongly|loosely|closely? coupled|connected|related|linked to|with Y",
        "DO X and Y USE @each_other|one_another",
        "DO X and Y know|see|call @each_other|one_another",
        "is|are there a|any|some? tight|strong|high|close|circular|cyclic? coupling|dependency|dependencies|cycle|connection|relation between X and Y",
        "is|are there a|any|an? @circular|cyclic|mutual import|imports|dependency|dependencies between X and Y",
        "DO X and Y import|require|include|use @each_other|one_another|mutually",
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
    say.coupled(&x, &y, !read.word.is_empty());
    say.is_said()
}
