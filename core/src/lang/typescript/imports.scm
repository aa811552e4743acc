; import a = require("m")
(import_statement
  (import_require_clause (identifier) @alias source: (string) @module)) @import
