; fn List(comptime T: type) type { return struct { … }; }: what it makes owns the members.
(function_declaration
  name: (identifier) @name
  type: (builtin_type) @_type
  body: (block (expression_statement (return_expression (struct_declaration))))
  (#eq? @_type "type")) @symbol.struct

(function_declaration name: (identifier) @name) @symbol.function

(test_declaration (string (string_content) @name) (block) @body) @symbol.function

; const Store = struct { … };
(variable_declaration . (identifier) @name (struct_declaration "{" @body)) @symbol.struct
(variable_declaration . (identifier) @name (opaque_declaration "{" @body)) @symbol.struct
(variable_declaration . (identifier) @name (enum_declaration "{" @body)) @symbol.enum
(variable_declaration . (identifier) @name (union_declaration "{" @body)) @symbol.union
(variable_declaration
  . (identifier) @name
  [(error_set_declaration "{" @body) (binary_expression left: (error_set_declaration "{" @body))]
  ) @symbol.enum

; const Visitor = *const fn (Entry) void;
(variable_declaration
  . (identifier) @name
  [(pointer_type) (slice_type) (array_type) (nullable_type) (function_signature)]) @symbol.type

; const Names = List([]const u8);
(source_file
  (variable_declaration "const" . (identifier) @name (call_expression)) @symbol.type
  (#match? @name "^[A-Z]"))

; What only renames (const mem = std.mem) or imports is no definition.
(source_file
  (variable_declaration
    "const"
    . (identifier) @name
    [
      (integer) (float) (string) (multiline_string) (character) (boolean) (unary_expression)
      (binary_expression) (call_expression) (struct_initializer) (anonymous_struct_initializer)
    ]
    .) @symbol.constant)

(struct_declaration
  (variable_declaration
    "const"
    . (identifier) @name
    [
      (integer) (float) (string) (multiline_string) (character) (boolean) (unary_expression)
      (binary_expression) (call_expression) (struct_initializer) (anonymous_struct_initializer)
    ]
    .) @symbol.constant)

(source_file (variable_declaration "var" . (identifier) @name) @symbol.variable)
