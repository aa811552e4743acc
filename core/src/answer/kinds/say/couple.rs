//! Whether two parts use each other.

use super::Say;
use crate::answer::kinds::evidence::imports;
use crate::answer::kinds::subject::Subject;

impl Say<'_, '_> {
    /// States whether X and Y use each other; `both` if the question requires both directions.
    pub(crate) fn coupled(&mut self, x: &Subject, y: &Subject, both: bool) {
        let forth = imports(self.index, x);
        let back = imports(self.index, y);
        let goes = self.links(y, &forth);
        let comes = self.links(x, &back);
        match (goes.is_empty(), comes.is_empty()) {
            (false, false) => {
                self.yes("Yes, both ways. ", x, y, &forth);
                self.yes("And back: ", y, x, &back);
            }
            (false, true) => {
                self.yes(one_way(both), x, y, &forth);
                self.no("", y, &self.name(x), &back);
            }
            (true, false) => {
                self.yes(one_way(both), y, x, &back);
                self.no("", x, &self.name(y), &forth);
            }
            (true, true) => {
                self.no("No. ", x, &self.name(y), &forth);
                self.no("No. ", y, &self.name(x), &back);
            }
        }
    }
}

/// Returns what to say before an import in only one direction.
fn one_way(asks_for_both: bool) -> &'static str {
    match asks_for_both {
        true => "No, one way only. ",
        false => "Yes, one way. ",
    }
}
