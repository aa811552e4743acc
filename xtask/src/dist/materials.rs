//! The bill of materials, in CycloneDX 1.5: crates with the checksums of the lock file, models with
//! those of their files. It names no time and no machine, so the same build gives the same file.

use serde_json::{Value, json};

use super::VERSION;
use super::packages::Package;
use crate::packing::Files;

/// A model that comes with the page, as its `model.json` describes it.
#[derive(Debug, PartialEq, Eq)]
pub struct Model {
    pub id: String,
    pub licence: String,
    /// SHA-256 of the network.
    pub checksum: String,
}

/// The models among the page's files.
pub fn models(files: &Files) -> Result<Vec<Model>, String> {
    let described = files
        .iter()
        .filter(|(path, _)| path.starts_with("models/") && path.ends_with("/model.json"));
    let read = |(path, bytes): (&String, &Vec<u8>)| {
        let json: Value =
            serde_json::from_slice(bytes).map_err(|error| format!("{error}: {path}"))?;
        let text = |it: &Value| it.as_str().map(str::to_owned);
        let checksum = text(&json["files"]["model.onnx"]["sha256"]);
        Ok(Model {
            id: text(&json["id"]).ok_or_else(|| format!("{path} has no id"))?,
            licence: text(&json["provenance"]["license"])
                .or_else(|| text(&json["license"]))
                .ok_or_else(|| format!("{path} names no licence"))?,
            checksum: checksum.ok_or_else(|| format!("{path} has no checksum of its network"))?,
        })
    };
    described.map(read).collect()
}

/// The bill as JSON.
pub fn bill(packages: &[Package], models: &[Model]) -> Result<String, String> {
    let crates = packages.iter().map(library);
    let models = models.iter().map(model);
    let bill = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": format!("footnote@{VERSION}"),
                "name": "footnote",
                "version": VERSION,
                "licenses": [{ "expression": "MIT" }],
            },
        },
        "components": crates.chain(models).collect::<Vec<Value>>(),
    });
    serde_json::to_string_pretty(&bill).map_err(|error| error.to_string())
}

fn library(package: &Package) -> Value {
    let purl = format!("pkg:cargo/{}@{}", package.name, package.version);
    let mut component = json!({
        "type": "library",
        "bom-ref": purl,
        "name": package.name,
        "version": package.version,
        "licenses": [{ "expression": package.licence }],
        "purl": purl,
    });
    if let Some(checksum) = &package.checksum {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
    }
    if let Some(repository) = &package.repository {
        component["externalReferences"] = json!([{ "type": "vcs", "url": repository }]);
    }
    component
}

fn model(model: &Model) -> Value {
    json!({
        "type": "machine-learning-model",
        "bom-ref": format!("model:{}", model.id),
        "name": model.id,
        "licenses": [{ "expression": model.licence }],
        "hashes": [{ "alg": "SHA-256", "content": model.checksum }],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{packing, paths};

    #[test]
    fn the_bill_names_every_crate_and_model_once() {
        let public = packing::read(&paths::root().join("public")).unwrap();
        let models = models(&public).unwrap();
        assert_eq!(models.len(), 3, "{models:?}");
        let packages = super::super::packages::of_page().unwrap();
        let bill: Value = serde_json::from_str(&bill(&packages, &models).unwrap()).unwrap();
        let components = bill["components"].as_array().unwrap();
        assert_eq!(components.len(), packages.len() + models.len());
        let mut refs: Vec<&str> = components
            .iter()
            .map(|it| it["bom-ref"].as_str().unwrap())
            .collect();
        refs.sort_unstable();
        refs.dedup();
        assert_eq!(refs.len(), components.len());
    }
}
