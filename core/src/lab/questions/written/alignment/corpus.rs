//! The question corpus (RepoQA-SA, appendix B): 39 templates in three dimensions, one of which is
//! drawn for each chunk.

use super::Dimension;

impl Dimension {
    /// The templates of the dimension, as the paper lists them; `the function/ class` is replaced
    /// by the name if there is one.
    pub(super) fn corpus(self) -> &'static [&'static str] {
        match self {
            Self::Semantics => &SEMANTICS,
            Self::Dependencies => &DEPENDENCIES,
            Self::Meta => &META,
        }
    }
}

const SEMANTICS: [&str; 25] = [
    "What is the name of the function/class?",
    "Which parameter does the function/class have?",
    "Which return type does the function/class have?",
    "Is it a function or class or method?",
    "Give me the code for the function.",
    "What functionality does this code aim to achieve?",
    "What are the expected outputs or outcomes of running this code?",
    "What variables are used in this code, and how are they defined?",
    "What data structures are utilized, and why were they chosen?",
    "How does the code control the flow of execution?",
    "Are there conditional statements or loops, and how do they operate?",
    "How does the code handle errors or unexpected situations?",
    "Are there mechanisms in place to catch exceptions or problematic scenarios?",
    "How might you improve the efficiency or performance of this code?",
    "Is this code scalable for larger datasets or more complex scenarios?",
    "How easy would it be to maintain or extend this code in the future?",
    "Is the code adequately documented with comments or docstrings?",
    "Are there areas where additional documentation would be beneficial?",
    "Does this code adhere to best practices and coding standards?",
    "Are there any deviations from commonly accepted conventions?",
    "How are variables initialized and assigned values in the code?",
    "Are there any variable naming conventions followed in the code?",
    "How are comments utilized within the code?",
    "Are there any comments explaining specific lines or blocks of code?",
    "What are the data types used for the variables, and how are they declared?",
];

const DEPENDENCIES: [&str; 7] = [
    "Does the code depend on external libraries or modules?",
    "How are external dependencies managed or imported?",
    "What external libraries or modules does the code snippet depend on?",
    "How are the external dependencies imported within the code?",
    "Are there any optional dependencies that are conditionally imported based on certain \
     conditions?",
    "How are version conflicts or compatibility issues managed with the dependencies?",
    "Are there any considerations regarding licensing or usage restrictions for the external \
     dependencies?",
];

const META: [&str; 7] = [
    "Does this code rely on specific versions of external libraries or modules?",
    "What is the filename and module name associated with the code snippet?",
    "Does the file contain any classes or functions?",
    "How many lines does the code snippet span from start to end?",
    "Is there any additional metadata or information provided about the code snippet that could be \
     relevant for understanding its context?",
    "How does the code snippet fit within the broader context of the module or project it \
     belongs to?",
    "Has the code snippet been tested, and if so, what testing methodologies were employed?",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corpus_has_39_templates() {
        let n: usize = Dimension::ALL.iter().map(|it| it.corpus().len()).sum();
        assert_eq!(n, 39);
    }
}
