; import "a", import … from "a"
(import_statement source: (string) @module) @import

; import a from "m"
((import_statement (import_clause (identifier) @alias)) @import
  (#set! name "default"))

; import * as a from "m"
(import_statement (import_clause (namespace_import (identifier) @alias))) @import

; import { a, b as c } from "m"
(import_statement
  (import_clause (named_imports (import_specifier name: (_) @name !alias)))) @import
(import_statement
  (import_clause (named_imports (import_specifier name: (_) @name alias: (_) @alias)))) @import

; export { a, b as c } from "m"
(export_statement source: (string) @module) @import
(export_statement
  (export_clause (export_specifier name: (_) @name !alias))
  source: (string)) @import
(export_statement
  (export_clause (export_specifier name: (_) @name alias: (_) @alias))
  source: (string)) @import

; export * from "m", export * as a from "m"
((export_statement "*" source: (string)) @import
  (#set! name "*"))
(export_statement
  (namespace_export (_) @alias)
  source: (string)) @import

; require("m")
((call_expression
  function: (identifier) @_require
  arguments: (arguments . (string) @module)) @import
  (#eq? @_require "require"))

; const a = require("m")
(variable_declarator
  name: (identifier) @alias
  value: (call_expression
    function: (identifier) @_require
    arguments: (arguments . (string))) @import
  (#eq? @_require "require"))

; const { a, b: c } = require("m")
(variable_declarator
  name: (object_pattern (shorthand_property_identifier_pattern) @name)
  value: (call_expression
    function: (identifier) @_require
    arguments: (arguments . (string))) @import
  (#eq? @_require "require"))
(variable_declarator
  name: (object_pattern
    (pair_pattern key: (property_identifier) @name value: (identifier) @alias))
  value: (call_expression
    function: (identifier) @_require
    arguments: (arguments . (string))) @import
  (#eq? @_require "require"))

; require("m").a
(member_expression
  object: (call_expression
    function: (identifier) @_require
    arguments: (arguments . (string))) @import
  property: (property_identifier) @name
  (#eq? @_require "require"))

; import("m")
(call_expression
  function: (import)
  arguments: (arguments . (string) @module)) @import

; const a = await import("m"), const { a } = await import("m")
(variable_declarator
  name: (identifier) @alias
  value: (await_expression (call_expression function: (import)) @import))
(variable_declarator
  name: (object_pattern (shorthand_property_identifier_pattern) @name)
  value: (await_expression (call_expression function: (import)) @import))
