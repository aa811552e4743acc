; Shared by C and C++.

(function_definition
  declarator: [
    (function_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
    (pointer_declarator
      declarator: (pointer_declarator
        declarator: (function_declarator declarator: (identifier) @name)))
  ]) @symbol.function

; Prototypes. Only outside of functions: inside, `T x(y);` is a variable.
(translation_unit
  (declaration
    declarator: [
      (function_declarator declarator: (identifier) @name)
      (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
    ]) @symbol.function)
(preproc_ifdef
  (declaration
    declarator: [
      (function_declarator declarator: (identifier) @name)
      (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
    ]) @symbol.function)
(declaration_list
  (declaration
    declarator: [
      (function_declarator declarator: (identifier) @name)
      (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
    ]) @symbol.function)

(struct_specifier name: (_) @name body: (_)) @symbol.struct
(union_specifier name: (_) @name body: (_)) @symbol.union
(enum_specifier name: (_) @name body: (_)) @symbol.enum

; typedef struct { … } name;
(type_definition
  type: (struct_specifier !name body: (_) @body)
  declarator: (type_identifier) @name) @symbol.struct
(type_definition
  type: (union_specifier !name body: (_) @body)
  declarator: (type_identifier) @name) @symbol.union
(type_definition
  type: (enum_specifier !name body: (_) @body)
  declarator: (type_identifier) @name) @symbol.enum

; typedef struct name { … } alias; – the alias stands beside the struct, not around it.
(type_definition
  type: [
    (struct_specifier name: (_) body: (_))
    (union_specifier name: (_) body: (_))
    (enum_specifier name: (_) body: (_))
  ]
  declarator: (type_identifier) @name @symbol.type)

(type_definition
  declarator: [
    (type_identifier) @name
    (pointer_declarator declarator: (type_identifier) @name)
    (array_declarator declarator: (type_identifier) @name)
    (function_declarator
      declarator: (parenthesized_declarator
        (pointer_declarator declarator: (type_identifier) @name)))
  ]) @symbol.type

; A macro without a value is a switch or an include guard.
(preproc_def name: (identifier) @name value: (_)) @symbol.constant
(preproc_function_def name: (identifier) @name value: (_) @body) @symbol.macro

(translation_unit
  (declaration
    (type_qualifier) @_const
    declarator: [
      (init_declarator declarator: (identifier) @name)
      (init_declarator declarator: (array_declarator declarator: (identifier) @name))
      (init_declarator declarator: (pointer_declarator declarator: (identifier) @name))
      (init_declarator
        declarator: (pointer_declarator declarator: (array_declarator declarator: (identifier) @name)))
    ]
    (#match? @_const "^const(expr)?$")) @symbol.constant)

(translation_unit
  (declaration
    declarator: [
      (identifier) @name
      (array_declarator declarator: (identifier) @name)
      (pointer_declarator declarator: (identifier) @name)
      (init_declarator declarator: (identifier) @name)
      (init_declarator declarator: (array_declarator declarator: (identifier) @name))
      (init_declarator declarator: (pointer_declarator declarator: (identifier) @name))
      (init_declarator
        declarator: (pointer_declarator declarator: (array_declarator declarator: (identifier) @name)))
    ]) @symbol.variable)
