//! What a question asks for by its cues, and the wording in which a kind reads the same.

/// Which names of a question a rule needs, and where they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// None; a file or a folder may limit what is asked.
    Nothing,
    /// One, anywhere.
    One,
    /// One before the cue.
    Before,
    /// One behind the cue.
    Behind,
    /// One on either side of the cue.
    Both,
}

/// A way of asking.
pub(super) struct Rule {
    /// Lists of cues, words of one phrase joined by `_`: the question has one of each list. The
    /// place of a name counts from the first list's.
    pub cues: &'static [&'static str],
    /// The question has none of these words.
    pub without: &'static str,
    pub named: Named,
    /// Whether questions that begin with how or why are read too.
    pub is_prose: bool,
    /// Whether the question begins by asking for the first cue: “which … can switch off Z”. Then
    /// what follows only says which of them matter.
    pub is_first: bool,
    /// The wording, with `X` and `Y` for the names.
    pub wording: &'static str,
}

impl Rule {
    /// A list of what the cues say.
    const fn list(cues: &'static [&'static str], named: Named, wording: &'static str) -> Self {
        Self {
            cues,
            without: "",
            named,
            is_prose: false,
            is_first: false,
            wording,
        }
    }

    const fn without(mut self, words: &'static str) -> Self {
        self.without = words;
        self
    }

    const fn first(mut self) -> Self {
        self.is_first = true;
        self
    }

    const fn or_prose(mut self) -> Self {
        self.is_prose = true;
        self
    }
}

const ERRORS: &str = "error errors exception exceptions panic panics";
const ENVIRONMENT: &str = "\
    environment_variable environment_variables env_var env_vars env_variable env_variables envvar \
    envvars";
/// Words of questions on how a variable is set, not on which there are.
const OF_SETTING: &str = "\
    order turned converted override overrides precedence type set unset written removed added \
    renamed passed expanded missing never";
/// Words that ask for some of a list only.
const OF_SOME: &str = "\
    return returns returning returned take takes taking accept accepts accepting yield yields \
    deprecated async private abstract decorated longest shortest most largest biggest unused dead \
    default";
const WHO_ALL: &str = "which list show all every any find what";
const WHO: &str = "who what which where list show all every any find functions methods callers";

/// Tried in this order.
pub(super) const RULES: &[Rule] = &[
    Rule::list(
        &[
            "get_to gets_to get_down_to get_from gets_from get reach reaches end_up_in ends_up_in \
             end_up_calling lead_to leads_to arrive_at come_to comes_to down_to into",
            "how from path chain trace route hops which_calls by_which through_which which_way",
        ],
        Named::Both,
        "how does X reach Y",
    )
    .or_prose(),
    Rule::list(
        &[
            "change changes changed changing modify modifies modifying rename renaming remove \
             removing delete deleting break breaks breaking touch edit",
            "if when affected affects affect impact impacted breaks break look_at careful \
             depends consequences",
        ],
        Named::One,
        "what is affected if X changes",
    )
    .without("changelog release version released"),
    Rule::list(
        &[ENVIRONMENT],
        Named::Nothing,
        "which environment variables are read",
    )
    .without(OF_SETTING),
    Rule::list(
        &[ENVIRONMENT],
        Named::Nothing,
        "which environment variables are read",
    )
    .without(OF_SETTING)
    .first(),
    Rule::list(
        &[
            "raise raises raised raising throw throws thrown throwing",
            "what who where which everything everywhere every all any place places functions \
             methods code list find",
        ],
        Named::Behind,
        "where is X raised",
    ),
    Rule::list(
        &["override overrides overriding overridden redefine redefines reimplement reimplements"],
        Named::Behind,
        "what overrides X",
    ),
    Rule::list(
        &[
            ERRORS,
            "raise raises raised raising throw throws thrown fail fails come_out come_from",
        ],
        Named::One,
        "which errors does X raise",
    ),
    Rule::list(
        &[ERRORS, "defined declared in"],
        Named::Behind,
        "which classes are defined in X",
    ),
    Rule::list(
        &[
            "subclass subclasses extend extends extending inherit inherits inheriting derive derives \
             derived based_on built_on building_on builds_on descend descends descendants",
        ],
        Named::Behind,
        "subclasses of X",
    ),
    Rule::list(
        &[
            "implement implements implemented implementing implementation implementations \
             implementor implementors implementers impl impls",
        ],
        Named::Behind,
        "implementations of X",
    ),
    Rule::list(
        &[
            "implementation implementations implementor implementors implementers",
            WHO_ALL,
        ],
        Named::Before,
        "implementations of X",
    ),
    Rule::list(
        &["implementation implementations", WHO_ALL],
        Named::Before,
        "where is X defined",
    ),
    Rule::list(
        &[
            "parameter parameters params param argument arguments args keyword_args kwargs \
             constructor_args",
        ],
        Named::One,
        "parameters of X",
    )
    .without("command_line parse parses parsed parsing type types default defaults"),
    Rule::list(
        &["call_sites callsites call_site callers"],
        Named::One,
        "who calls X",
    ),
    Rule::list(
        &[
            "import imports importing require requires requiring",
            "files file modules who",
        ],
        Named::Behind,
        "which files import X",
    ),
    Rule::list(
        &[
            "test tests tested covered coverage",
            "for of cover covers exercise exercises check",
        ],
        Named::Behind,
        "which tests cover X",
    )
    .without("import imports"),
    Rule::list(
        &[
            "call calls calling invoke invokes create creates creating construct constructs \
             instantiate instantiates",
            WHO,
        ],
        Named::Behind,
        "who calls X",
    ),
    Rule::list(
        &["call calls calling invoke invokes", WHO],
        Named::Before,
        "what functions does X call",
    )
    .without("it them who"),
    Rule::list(
        &["use uses using reference references usages usage", WHO],
        Named::Behind,
        "usages of X",
    ),
    Rule::list(
        &["used referenced called", WHO],
        Named::Before,
        "usages of X",
    ),
    Rule::list(
        &["methods properties members"],
        Named::Behind,
        "methods of X",
    )
    .without(OF_SOME),
    Rule::list(&["variants"], Named::Behind, "variants of X").without(OF_SOME),
    Rule::list(&["constants"], Named::Behind, "constants in X").without(OF_SOME),
    Rule::list(&["functions"], Named::Behind, "functions in X").without(OF_SOME),
    Rule::list(
        &["classes structs enums traits interfaces types"],
        Named::Behind,
        "classes in X",
    )
    .without(OF_SOME),
    Rule::list(
        &["export exports exported"],
        Named::One,
        "what does X export",
    ),
    Rule::list(
        &["todo todos fixme fixmes"],
        Named::Nothing,
        "list the TODOs",
    ),
    Rule::list(&["files"], Named::Behind, "files in X"),
];
