; Read by code: what follows `static` and what a `*` stands for decides what the parts mean.
(import_declaration) @import
