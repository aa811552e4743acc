//! Configurations with the papers' values, for LLaMA-Factory and for Axolotl.

use serde_json::{Value, json};

use super::formats::Format;
use super::rows::{Row, has};
use super::text::{slug, yaml_string};
use super::{File, Options, Part, Repository};

/// A paper's settings for tuning its model.
pub(super) struct Recipe {
    pub(super) name: &'static str,
    /// The paper, and where it gives the values.
    pub(super) source: &'static str,
    pub(super) base: &'static str,
    rank: u32,
    alpha: u32,
    dropout: &'static str,
    epochs: u32,
    rate: &'static str,
    batch: u32,
    accumulation: u32,
    /// Tokens per row.
    length: u32,
    /// The matrices with an adapter; empty for all linear layers.
    modules: &'static [&'static str],
    schedule: Option<(&'static str, &'static str)>,
    flash: bool,
    /// Values that are not from the paper.
    ours: &'static str,
}

/// The two papers that tuned a model on questions made from a repository.
pub(super) const RECIPES: [Recipe; 2] = [
    Recipe {
        name: "pathfinder",
        source: "PathFinder, Table 2 and \"Model Training Details\"",
        base: "Qwen/Qwen3-8B",
        rank: 8,
        alpha: 16,
        dropout: "0.05",
        epochs: 25,
        rate: "0.0002",
        batch: 2,
        accumulation: 4,
        length: 1024,
        modules: &["q_proj", "k_proj", "v_proj"],
        schedule: None,
        flash: false,
        ours: "The paper does not state a schedule; the tool's own applies.",
    },
    Recipe {
        name: "repoqa-sa",
        source: "RepoQA-SA, section 4.2 and appendix C",
        base: "mistralai/Mistral-7B-Instruct-v0.2",
        rank: 64,
        alpha: 64,
        dropout: "0.1",
        epochs: 5,
        rate: "0.0001",
        batch: 4,
        accumulation: 8,
        length: 2048,
        modules: &[],
        schedule: Some(("cosine", "0.03")),
        flash: true,
        ours: "The paper states \"Mistral 7B\", a batch of 32, no length and no matrices: the \
               version, 4 x 8, 2048 and all linear layers are our reading.",
    },
];

impl Recipe {
    pub(super) fn base<'a>(&'a self, options: &'a Options) -> &'a str {
        options.base_model.as_deref().unwrap_or(self.base)
    }

    fn head(&self, command: &str) -> String {
        format!("# {}. {}\n# {command}\n", self.source, self.ours)
    }
}

/// The name of a part in `dataset_info.json`.
fn data_set(repository: &Repository, part: Part) -> String {
    format!(
        "{}_{}",
        slug(&repository.name).replace('-', "_"),
        part.name()
    )
}

/// LLaMA-Factory's description of the files.
pub(super) fn dataset_info(format: &Format, repository: &Repository, rows: &[Row]) -> Option<File> {
    let describe = format.llama_factory?;
    let mut info = serde_json::Map::new();
    for part in Part::ALL.into_iter().filter(|&part| has(rows, part)) {
        let mut description = describe();
        if let Some(fields) = description.as_object_mut() {
            fields.insert("file_name".to_owned(), json!(part.file()));
        }
        info.insert(data_set(repository, part), description);
    }
    let text = format!("{:#}\n", Value::Object(info));
    Some(File {
        name: "dataset_info.json".to_owned(),
        text,
    })
}

/// One file for each paper and each tool that reads the format. The papers tuned on answers, so
/// there are none for pairs.
pub(super) fn configurations(
    format: &Format,
    repository: &Repository,
    options: &Options,
    rows: &[Row],
) -> Vec<File> {
    if !format.answers() {
        return Vec::new();
    }
    let mut files = Vec::new();
    let valid = has(rows, Part::Valid);
    for recipe in &RECIPES {
        if let Some(lines) = format.axolotl {
            files.push(File {
                name: format!("axolotl-{}.yaml", recipe.name),
                text: axolotl(recipe, lines, options, valid),
            });
        }
        if format.llama_factory.is_some() {
            files.push(File {
                name: format!("llama-factory-{}.yaml", recipe.name),
                text: llama_factory(recipe, repository, options, valid),
            });
        }
    }
    files
}

fn axolotl(recipe: &Recipe, lines: &str, options: &Options, valid: bool) -> String {
    let mut yaml = recipe.head(&format!("axolotl train axolotl-{}.yaml", recipe.name));
    yaml.push_str(&format!(
        "base_model: {}\n",
        yaml_string(recipe.base(options))
    ));
    yaml.push_str("chat_template: tokenizer_default\n");
    yaml.push_str(&axolotl_data("datasets", Part::Train, lines));
    if valid {
        yaml.push_str(&axolotl_data("test_datasets", Part::Valid, lines));
    }
    yaml.push_str(&format!(
        "output_dir: ./out\nsequence_len: {}\nload_in_4bit: true\nadapter: qlora\nlora_r: {}\n\
         lora_alpha: {}\nlora_dropout: {}\n",
        recipe.length, recipe.rank, recipe.alpha, recipe.dropout
    ));
    if recipe.modules.is_empty() {
        yaml.push_str("lora_target_linear: true\n");
    } else {
        yaml.push_str("lora_target_modules:\n");
        for module in recipe.modules {
            yaml.push_str(&format!("  - {module}\n"));
        }
    }
    yaml.push_str(&format!(
        "num_epochs: {}\nmicro_batch_size: {}\ngradient_accumulation_steps: {}\nlearning_rate: {}\n\
         optimizer: adamw_torch\nbf16: auto\ngradient_checkpointing: true\n",
        recipe.epochs, recipe.batch, recipe.accumulation, recipe.rate
    ));
    if let Some((schedule, warm_up)) = recipe.schedule {
        yaml.push_str(&format!(
            "lr_scheduler: {schedule}\nwarmup_ratio: {warm_up}\n"
        ));
    }
    if recipe.flash {
        yaml.push_str("attn_implementation: flash_attention_2\n");
    }
    yaml
}

fn axolotl_data(key: &str, part: Part, lines: &str) -> String {
    let mut yaml = format!(
        "{key}:\n  - path: {}\n    ds_type: json\n    split: train\n",
        part.file()
    );
    for line in lines.lines() {
        yaml.push_str(&format!("    {line}\n"));
    }
    yaml
}

fn llama_factory(
    recipe: &Recipe,
    repository: &Repository,
    options: &Options,
    valid: bool,
) -> String {
    let base = recipe.base(options);
    let mut yaml = recipe.head(&format!(
        "llamafactory-cli train llama-factory-{}.yaml",
        recipe.name
    ));
    let target = match recipe.modules {
        [] => "all".to_owned(),
        modules => modules.join(","),
    };
    yaml.push_str(&format!(
        "model_name_or_path: {}\nquantization_bit: 4\nquantization_method: bnb\nstage: sft\n\
         do_train: true\nfinetuning_type: lora\nlora_rank: {}\nlora_alpha: {}\nlora_dropout: {}\n\
         lora_target: {target}\n",
        yaml_string(base),
        recipe.rank,
        recipe.alpha,
        recipe.dropout
    ));
    yaml.push_str(&format!(
        "dataset_dir: .\ndataset: {}\ntemplate: {}\ncutoff_len: {}\n",
        data_set(repository, Part::Train),
        template(base),
        recipe.length
    ));
    if valid {
        yaml.push_str(&format!(
            "eval_dataset: {}\neval_strategy: epoch\n",
            data_set(repository, Part::Valid)
        ));
    }
    yaml.push_str(&format!(
        "output_dir: out\nnum_train_epochs: {}\nper_device_train_batch_size: {}\n\
         gradient_accumulation_steps: {}\nlearning_rate: {}\noptim: adamw_torch\nbf16: true\n",
        recipe.epochs, recipe.batch, recipe.accumulation, recipe.rate
    ));
    if let Some((schedule, warm_up)) = recipe.schedule {
        yaml.push_str(&format!(
            "lr_scheduler_type: {schedule}\nwarmup_ratio: {warm_up}\n"
        ));
    }
    if recipe.flash {
        yaml.push_str("flash_attn: fa2\n");
    }
    yaml
}

/// LLaMA-Factory's name for a model's chat template.
pub(super) fn template(model: &str) -> &'static str {
    let model = model.to_lowercase();
    let known = [
        ("qwen3", "qwen3_nothink"),
        ("qwen", "qwen"),
        ("mistral", "mistral"),
        ("llama-3", "llama3"),
        ("gemma", "gemma"),
    ];
    known
        .into_iter()
        .find(|(part, _)| model.contains(part))
        .map_or("default", |(_, template)| template)
}
