//! What Java, Kotlin and Scala share.

mod imports;

use crate::lang::family::Family;

pub(super) static FAMILY: Family = Family {
    name: "jvm",
    globals: "System Math String Integer Long Double Float Short Byte Boolean Character Thread Objects \
              Runtime Class StringBuilder",
    is_standard: |library| {
        let begins = ["java", "javax", "kotlin", "scala", "jdk", "sun"];
        begins.contains(&library.split('.').next().unwrap_or_default())
    },
    resolve: imports::resolve,
    // Scala allows several package clauses in a row.
    packages: |_, declared| vec![declared.join(".")],
    has_implicit_self: true,
    has_overloads: true,
    imports_classes: true,
    ..Family::PLAIN
};
