//! Everyday English words. A question uses them to ask, so a repository that lacks one of them
//! lacks nothing that was asked for: nobody looks for “halfway” or “somebody” in code.

use crate::search::stem::stem;

/// Words for people and amounts.
const WHO_AND_HOW_MUCH: &str = "
    anybody anyone anything everybody everyone everything nobody none nothing somebody someone
    something themselves itself myself ourselves yourself himself herself
    bit couple deal enough few less little lots many more most much plenty several whole
    dozen half hundred once thousand twice";

/// Words for when, where and how.
const WHEN_AND_WHERE: &str = "
    according again ago already always anyway anywhere apart aside away besides early elsewhere
    eventually ever everywhere far finally forever forth forward further halfway hence immediately
    instead lately later meanwhile midway never nearby next now nowadays nowhere often off onto
    otherwise perhaps rarely recently seldom somehow sometimes somewhere soon still straight
    suddenly together today tomorrow tonight toward towards upon usually whenever wherever whether
    within yesterday yet across along amid among around behind below beneath beside between beyond
    despite inside near opposite out outside over per since throughout till under underneath until
    up via without";

/// Words for how certain or how well.
const HOW: &str = "
    actually almost badly barely basically better best carefully certainly clearly completely
    correctly currently definitely directly easily entirely especially even exactly fairly fast
    fully generally gracefully hardly honestly hopefully indeed likely mainly maybe merely mostly
    namely nearly nicely obviously only originally partly possibly precisely pretty probably
    properly quickly quietly quite rather really roughly safely seriously silently simply
    slightly slowly surely truly typically well worse worst
    automatically internally manually magically";

/// What things are like.
const LIKE: &str = "
    able afraid alright amazing angry annoying awful awkward bad beautiful big bleeding broad
    careful cheap clever confused confusing convenient crazy dear dangerous difficult dirty easy
    fancy fine friendly funny glad good gorgeous great handy happy hard heavy huge important
    impossible lucky mad mysterious naive nasty neat nice obvious odd ok okay painful plain
    possible powerful proper sad sane scary serious sensible silly slow smart sorry strange
    strong stupid suitable sure surprising terrible tiny tough tricky ugly unsure useful useless
    various weird wide wonderful wrong worth";

/// Verbs of everyday life.
const DO: &str = "
    afford agree allow annoy answer appear argue arrive ask avoid become beg begin believe belong
    besides blame blow borrow bother bring buy came care choose come complain confuse consider
    cost cover dare deal decide deserve die differ discover doubt eat encounter end enjoy expect
    fail fall fear feel figure find finish fit follow forget forgot forgotten gain gave get
    getting give given go goes going gone got gotten guarantee guess happen hate have hear help
     hope hurt imagine intend keep kept kick knew know known lack last laugh lead learn
    leave left lend let lie like live look lose love manage matter mean mention miss mix mistake
    need notice ought owe own pick play please point prefer prepare pretend prevent
    promise prove provide put quit reach realise realize receive recognise recognize recommend
    refuse regret remain remember remind require say seem seen shout show sit smell
    speak spend stand stay stick struggle succeed suffer suggest suppose surprise swear take
    talk taste teach tell tend thank think thought told treat try turn understand
    understood used wait wake wander want waste wear win wish wonder worry worth";

/// Things without a name of their own.
const THING: &str = "
    advantage advice amount anymore aspect beginning behaviour benefit boy chance choice
    circumstance colleague concern consequence course day detail difference difficulty disadvantage
    doubt ending extent fact family father feeling folks fraction friend friends fun girl
    glance guy guys hand happens hour idea inside instance intention issue kind
    life luck majority man manner meaning middle minute moment money month mood morning mother
    nature night nonsense opinion opportunity people person piece place pleasure point
    principle problem question reason rest rid side sight situation 
    spite stuff thing tip trouble truth way week weekend woman wonder world year";

/// Words of asking and of code in general, such as verbs that only say that code does something:
/// they do not show whether a repository is about a question.
pub(super) const GENERAL: [&str; 66] = [
    "calculate",
    "calculated",
    "calculates",
    "call",
    "called",
    "calls",
    "chosen",
    "code",
    "codebase",
    "compute",
    "computed",
    "computes",
    "decide",
    "decided",
    "decides",
    "define",
    "defined",
    "defines",
    "definition",
    "determine",
    "determined",
    "determines",
    "done",
    "executed",
    "exist",
    "explain",
    "find",
    "generated",
    "handle",
    "handled",
    "handles",
    "happen",
    "happens",
    "implement",
    "implementation",
    "implemented",
    "implements",
    "invoked",
    "library",
    "list",
    "located",
    "look",
    "made",
    "managed",
    "mean",
    "need",
    "obtained",
    "performed",
    "performs",
    "processed",
    "produced",
    "project",
    "purpose",
    "repo",
    "repository",
    "responsible",
    "show",
    "tell",
    "triggered",
    "use",
    "used",
    "uses",
    "using",
    "work",
    "working",
    "works",
];

/// Whether a lower-case word is one of these, in any form.
pub(super) fn is_everyday(word: &str) -> bool {
    let own = stem(word);
    let all = [WHO_AND_HOW_MUCH, WHEN_AND_WHERE, HOW, LIKE, DO, THING];
    let mut words = all.iter().flat_map(|list| list.split_whitespace());
    words.any(|it| it == word || stem(it) == own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyday_words_are_distinguished_from_the_names_of_things() {
        for word in ["nobody", "halfway", "forgets", "silently", "friends", "off"] {
            assert!(is_everyday(word), "{word}");
        }
        for word in [
            "websocket",
            "scheduler",
            "docker",
            "kafka",
            "prompt",
            "redirects",
        ] {
            assert!(!is_everyday(word), "{word}");
        }
    }
}
