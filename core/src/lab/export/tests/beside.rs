//! The files beside the rows: configurations, Modelfile, card.

use serde_json::Value;

use super::*;

#[test]
fn configurations_hold_the_papers_values() {
    let export = Sample::of(&["a", "b"]).export(named("messages"));
    for (file, values) in [
        (
            "axolotl-pathfinder.yaml",
            &[
                "\"Qwen/Qwen3-8B\"",
                "lora_r: 8\n",
                "lora_alpha: 16\n",
                "lora_dropout: 0.05\n",
                "num_epochs: 25\n",
                "learning_rate: 0.0002\n",
                "sequence_len: 1024\n",
                "adapter: qlora\n",
                "  - path: valid.jsonl\n",
            ][..],
        ),
        (
            "llama-factory-pathfinder.yaml",
            &[
                "lora_rank: 8\n",
                "lora_alpha: 16\n",
                "num_train_epochs: 25\n",
                "quantization_bit: 4\n",
                "dataset: flask_train\n",
                "eval_dataset: flask_valid\n",
                "template: qwen3_nothink\n",
            ],
        ),
        (
            "axolotl-repoqa-sa.yaml",
            &[
                "lora_r: 64\n",
                "lora_alpha: 64\n",
                "lora_dropout: 0.1\n",
                "num_epochs: 5\n",
                "lr_scheduler: cosine\n",
                "warmup_ratio: 0.03\n",
                "learning_rate: 0.0001\n",
            ],
        ),
        (
            "llama-factory-repoqa-sa.yaml",
            &["template: mistral\n", "flash_attn: fa2\n"],
        ),
    ] {
        for value in values {
            assert!(text(&export, file).contains(value), "{file}: {value}");
        }
    }
    let info: Value = serde_json::from_str(text(&export, "dataset_info.json")).unwrap();
    assert_eq!(info["flask_valid"]["file_name"], "valid.jsonl");
    assert_eq!(info["flask_train"]["tags"]["user_tag"], "user");
    let pairs = Sample::of(&["a", "b"]).export(named("preference-llama-factory"));
    let info: Value = serde_json::from_str(text(&pairs, "dataset_info.json")).unwrap();
    assert_eq!(info["flask_train"]["ranking"], true);
}

#[test]
fn a_base_model_of_the_users_replaces_the_papers() {
    let options = Options {
        base_model: Some("a/\"b\"\nevil: 1".to_owned()),
        ..Options::default()
    };
    let sample = Sample::of(&["a", "b"]);
    let export = export(named("messages"), &sample.set(), &options).unwrap();
    for file in [
        "axolotl-pathfinder.yaml",
        "llama-factory-repoqa-sa.yaml",
        "Modelfile",
    ] {
        assert!(!text(&export, file).contains("\nevil"), "{file}");
        assert!(!text(&export, file).contains("Qwen"), "{file}");
    }
    assert!(text(&export, "axolotl-pathfinder.yaml").contains(r#"base_model: "a/\"b\"\nevil: 1""#));
}

#[test]
fn a_modelfile_repeats_the_system_text_where_all_rows_have_one() {
    let mut sample = Sample::of(&["a", "b"]);
    let mixed = sample.export(named("messages"));
    assert!(!text(&mixed, "Modelfile").contains("SYSTEM"));
    sample
        .items
        .iter_mut()
        .for_each(|item| item.reference_answer = None);
    let lists = sample.export(named("messages"));
    assert!(text(&lists, "Modelfile").contains(&format!("SYSTEM \"\"\"{FILE_RULES}\"\"\"")));
    assert!(text(&lists, "Modelfile").contains("num_predict 300"));
    let bare = sample.export(named("prompt-completion"));
    assert!(!text(&bare, "Modelfile").contains("SYSTEM"));
    let options = Options {
        files_system: Some("a\"\"\"b".to_owned()),
        ..Options::default()
    };
    let quoted = export(named("messages"), &sample.set(), &options).unwrap();
    assert!(!text(&quoted, "Modelfile").contains("SYSTEM"));
    assert!(
        quoted
            .notes
            .iter()
            .any(|note| note.contains("quotation marks"))
    );
}

#[test]
fn a_card_counts_and_its_front_matter_cannot_be_left() {
    let mut sample = Sample::of(&["a", "b", "c"]);
    let card = sample.export(named("messages"));
    let card = text(&card, "README.md");
    for part in [
        "license: bsd-3-clause\n",
        "| S1 | 1 | 0 |",
        "| semantics | 1 | 1 |",
        "| **all** | **2** | **1** |",
        "- n<1K\n",
    ] {
        assert!(card.contains(part), "{part}");
    }
    sample.repository.name = "x\n---\nlicense: evil\n".to_owned();
    for (license, expected) in [
        (None, "license: unknown\n"),
        (Some("GPL-3.0-or-later"), "license: gpl-3.0\n"),
        (
            Some("my\n---"),
            "license: other\nlicense_name: \"my\\n---\"\n",
        ),
    ] {
        sample.repository.license = license.map(str::to_owned);
        let export = sample.export(named("messages"));
        let card = text(&export, "README.md");
        assert!(card.contains(expected), "{card}");
        assert_eq!(card.matches("\n---\n").count(), 1, "{card}");
    }
}
