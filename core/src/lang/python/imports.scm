; import a.b
(import_statement name: (dotted_name) @module @import)

; import a.b as c
(import_statement
  name: (aliased_import name: (dotted_name) @module alias: (identifier) @alias) @import)

; from a import b
(import_from_statement
  module_name: (_) @module
  name: (dotted_name) @name) @import

; from a import b as c
(import_from_statement
  module_name: (_) @module
  name: (aliased_import name: (dotted_name) @name alias: (identifier) @alias)) @import

; from a import *
(import_from_statement
  module_name: (_) @module
  (wildcard_import) @name) @import

; from __future__ import annotations
((future_import_statement name: (dotted_name) @name) @import
  (#set! module "__future__"))
