; Read by code: one statement can hold several modules, each with its names.
(import_declaration) @import
