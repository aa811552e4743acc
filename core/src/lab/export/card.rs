//! The dataset card: `README.md` with Hugging Face's YAML in front.

use std::collections::BTreeMap;

use super::formats::Format;
use super::rows::{Row, has, on_both_sides};
use super::text::{inline, yaml_string};
use super::{File, METADATA, Options, Part, Set};

/// Software licences, by the identifiers that Hugging Face knows.
const LICENSES: [&str; 24] = [
    "mit",
    "apache-2.0",
    "bsd-2-clause",
    "bsd-3-clause",
    "bsd-3-clause-clear",
    "isc",
    "zlib",
    "0bsd",
    "mpl-2.0",
    "gpl-2.0",
    "gpl-3.0",
    "lgpl-2.1",
    "lgpl-3.0",
    "agpl-3.0",
    "epl-1.0",
    "epl-2.0",
    "eupl-1.2",
    "bsl-1.0",
    "artistic-2.0",
    "unlicense",
    "wtfpl",
    "cc0-1.0",
    "cc-by-4.0",
    "cc-by-sa-4.0",
];

pub(super) fn card(
    format: &Format,
    set: &Set,
    options: &Options,
    rows: &[Row],
    notes: &[String],
) -> File {
    let title = title(set);
    let mut text = front_matter(format, set, rows, &title);
    text.push_str(&format!("\n# {}\n\n", inline(&title)));
    text.push_str(&about(format, set));
    text.push_str(&counts(rows));
    text.push_str(&how_made(format, options));
    text.push_str(&license(set));
    text.push_str(&contamination(rows));
    text.push_str(limits(format));
    if !notes.is_empty() {
        text.push_str("\n## Notes of this export\n\n");
        for note in notes {
            text.push_str(&format!("- {}\n", inline(note)));
        }
    }
    File {
        name: "README.md".to_owned(),
        text,
    }
}

fn title(set: &Set) -> String {
    let repository = set.repository;
    match &repository.version {
        Some(version) => format!("Questions about {} {version}", repository.name),
        None => format!("Questions about {}", repository.name),
    }
}

fn front_matter(format: &Format, set: &Set, rows: &[Row], title: &str) -> String {
    let task = if format.answers() {
        "question-answering"
    } else {
        "text-generation"
    };
    let mut yaml = format!(
        "---\npretty_name: {}\nlanguage:\n- en\n",
        yaml_string(title)
    );
    yaml.push_str(&license_lines(set.repository.license.as_deref()));
    yaml.push_str(&format!(
        "task_categories:\n- {task}\ntags:\n- code\n- synthetic\nsize_categories:\n- {}\n",
        size_category(rows.len())
    ));
    // Without this, the metadata would be loaded as rows too.
    yaml.push_str("configs:\n- config_name: default\n  data_files:\n");
    for (part, split) in [(Part::Train, "train"), (Part::Valid, "validation")] {
        if has(rows, part) {
            yaml.push_str(&format!("  - split: {split}\n    path: {}\n", part.file()));
        }
    }
    yaml.push_str("---\n");
    yaml
}

fn license_lines(license: Option<&str>) -> String {
    let Some(license) = license else {
        return "license: unknown\n".to_owned();
    };
    let id = license.trim().to_lowercase();
    let id = id.trim_end_matches("-only").trim_end_matches("-or-later");
    if LICENSES.contains(&id) {
        format!("license: {id}\n")
    } else {
        format!("license: other\nlicense_name: {}\n", yaml_string(license))
    }
}

fn size_category(n: usize) -> &'static str {
    match n {
        0..1_000 => "n<1K",
        1_000..10_000 => "1K<n<10K",
        10_000..100_000 => "10K<n<100K",
        _ => "100K<n<1M",
    }
}

fn about(format: &Format, set: &Set) -> String {
    let repository = set.repository;
    let what = if format.answers() {
        "questions with answers"
    } else {
        "pairs of answers"
    };
    format!(
        "Rows are {what} about one repository in the form `{}` (read by {}). `{METADATA}` holds \
         what is known of each row, by split and number of the row.\n\n\
         - Repository: {}\n- Version: {}\n- Hash of its archive: {}\n",
        format.name,
        format.tools,
        inline(&repository.name),
        inline(repository.version.as_deref().unwrap_or("not known")),
        inline(&repository.archive_hash),
    )
}

fn counts(rows: &[Row]) -> String {
    let mut by_strategy: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    let mut all = [0; 2];
    for row in rows {
        let of = by_strategy.entry(&row.strategy).or_default();
        for counts in [of, &mut all] {
            let [train, valid] = counts;
            *(if row.part == Part::Train {
                train
            } else {
                valid
            }) += 1;
        }
    }
    let mut text = "\n## Counts\n\n| strategy | train | valid |\n|---|---:|---:|\n".to_owned();
    for (strategy, [train, valid]) in by_strategy {
        text.push_str(&format!("| {} | {train} | {valid} |\n", inline(strategy)));
    }
    let [train, valid] = all;
    text.push_str(&format!("| **all** | **{train}** | **{valid}** |\n"));
    text
}

fn how_made(format: &Format, options: &Options) -> String {
    let how = options.how_made.as_deref().map(inline);
    let how = how.unwrap_or_else(|| "The generator was not stated.".to_owned());
    let answers = if format.answers() {
        "An answer is the reference answer where there is one, otherwise the JSON list of the \
         gold files, sorted and unique (PathFinder's form)."
    } else {
        "Which answer was preferred, and by whom, is in the metadata."
    };
    let system = if format.holds_system {
        "A model tuned on rows with a system text needs the same text whenever it is asked."
    } else {
        "The form has no place for a system text, so the rows have none."
    };
    format!("\n## How it was made\n\nBy Footnote. {how} {answers} {system}\n")
}

fn license(set: &Set) -> String {
    let license = match set.repository.license.as_deref() {
        Some(license) => format!("The repository states: {}.", inline(license)),
        None => "Its licence is not known: find out before you share this set.".to_owned(),
    };
    format!(
        "\n## Licence\n\nQuestions and answers quote the repository, so its licence holds for them \
         too. {license}\n"
    )
}

fn contamination(rows: &[Row]) -> String {
    format!(
        "\n## Contamination\n\n- Public code is in the training data of most base models: measure \
         the base model on the same questions.\n- Both parts are about the same repository. The \
         part for validation shows whether the model generalises to other wordings, not whether it \
         would understand other code.\n- Rows for validation with the wording of a row for \
         training: {}.\n- Do not tune on a set that you report results on.\n",
        on_both_sides(rows)
    )
}

fn limits(format: &Format) -> &'static str {
    if format.answers() {
        "\n## Limits\n\nThe set is about one version of the repository; a tuned model names files \
         that later versions no longer have. Generated questions are more regular than those of \
         people. The configurations contain the values of two papers, which were tuned on their \
         data, not on this set.\n"
    } else {
        "\n## Limits\n\nThe set is about one version of the repository. Preferences are those of \
         the people and judges in the metadata, with their biases, such as one for long answers. \
         No paper behind Footnote tuned on pairs of answers, so there is no configuration here.\n"
    }
}
