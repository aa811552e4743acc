//! A Modelfile, so that the tuned model can answer through Ollama and be measured like any other.

use super::formats::Format;
use super::recipes::{RECIPES, template};
use super::rows::Row;
use super::text::{inline, slug};
use super::{File, Options, Repository};

/// Most tokens of a list of files (PathFinder, Table 2).
const LIST_TOKENS: u32 = 300;

pub(super) fn modelfile(
    format: &Format,
    repository: &Repository,
    options: &Options,
    rows: &[Row],
    notes: &mut Vec<String>,
) -> File {
    let lists = rows.iter().all(|row| row.lists_files);
    let mut text = head(repository, options);
    text.push_str("FROM ./out/merged\nPARAMETER temperature 0\nPARAMETER num_ctx 4096\n");
    if lists {
        text.push_str(&format!("PARAMETER num_predict {LIST_TOKENS}\n"));
    }
    if let Some(system) = system(rows, options).filter(|_| format.holds_system) {
        if system.contains("\"\"\"") {
            notes.push(
                "The system text contains three quotation marks, which a Modelfile cannot; set the \
                 text where you ask the model."
                    .to_owned(),
            );
        } else {
            text.push_str(&format!("SYSTEM \"\"\"{system}\"\"\"\n"));
        }
    }
    File {
        name: "Modelfile".to_owned(),
        text,
    }
}

/// How to import the weights. Ollama reads adapters for only a few architectures, and RepoQA-SA
/// merged its adapter too.
fn head(repository: &Repository, options: &Options) -> String {
    let base = options.base_model.as_deref().map_or_else(
        || {
            RECIPES
                .iter()
                .map(|recipe| recipe.base)
                .collect::<Vec<_>>()
                .join(" or ")
        },
        inline,
    );
    let template = match options.base_model.as_deref() {
        Some(model) => template(model),
        None => "TEMPLATE",
    };
    format!(
        "# Base: {base}\n\
         # Merge the adapter into the base first, with one of:\n\
         #   axolotl merge-lora axolotl-NAME.yaml --lora-model-dir ./out\n\
         #   llamafactory-cli export --model_name_or_path BASE --adapter_name_or_path out \
         --template {template} --export_dir out/merged\n\
         # Then: ollama create footnote-{} -f Modelfile\n\
         # If Ollama does not know the architecture, convert out/merged with llama.cpp's \
         convert_hf_to_gguf.py and name that file after FROM.\n",
        slug(&repository.name)
    )
}

/// The system text of all rows; `None` if rows differ, since a Modelfile has room for only one.
fn system<'a>(rows: &[Row], options: &'a Options) -> Option<&'a str> {
    let files = options
        .files_system
        .as_deref()
        .filter(|text| !text.trim().is_empty());
    let prose = options
        .answer_system
        .as_deref()
        .filter(|text| !text.trim().is_empty());
    let lists = rows.iter().filter(|row| row.lists_files).count();
    if lists == rows.len() {
        files
    } else if lists == 0 {
        prose
    } else {
        files.filter(|_| files == prose)
    }
}
