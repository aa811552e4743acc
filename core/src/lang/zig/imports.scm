((builtin_function
  (builtin_identifier) @_builtin
  (arguments . (string (string_content) @module))) @import
  (#match? @_builtin "^@(import|embedFile|cInclude)$"))

; const index = @import("index.zig");
(variable_declaration
  . (identifier) @alias
  (builtin_function (builtin_identifier) @_builtin) @import
  (#eq? @_builtin "@import"))

; const Entry = @import("index.zig").Entry;
(variable_declaration
  . (identifier) @alias
  (field_expression
    object: (builtin_function (builtin_identifier) @_builtin) @import
    member: (identifier) @name)
  (#eq? @_builtin "@import"))

; pub usingnamespace @import("limits.zig");
((using_namespace_declaration (builtin_function) @import)
  (#set! name "*"))
