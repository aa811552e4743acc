; What C++ adds to C. Names may be qualified (`A::b`), operators or destructors.

(function_definition
  declarator: [
    (function_declarator
      declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name) (destructor_name)] @name)
    (reference_declarator
      (function_declarator
        declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name)] @name))
    (pointer_declarator
      declarator: (function_declarator
        declarator: [(field_identifier) (qualified_identifier) (operator_name)] @name))
  ]) @symbol.function

; Methods declared in a class and defined elsewhere.
(field_declaration
  declarator: [
    (function_declarator declarator: [(field_identifier) (operator_name)] @name)
    (reference_declarator
      (function_declarator declarator: [(field_identifier) (operator_name)] @name))
    (pointer_declarator
      declarator: (function_declarator declarator: [(field_identifier) (operator_name)] @name))
  ]) @symbol.method

; Constructors and destructors declared in a class.
(field_declaration_list
  (declaration
    declarator: (function_declarator declarator: [(identifier) (destructor_name)] @name)) @symbol.method)

(class_specifier name: (_) @name body: (_)) @symbol.class
(namespace_definition name: (_) @name) @symbol.module
(alias_declaration name: (type_identifier) @name) @symbol.type
(concept_definition name: (identifier) @name) @symbol.type

(declaration_list
  (declaration
    (type_qualifier) @_const
    declarator: (init_declarator declarator: (_) @name)
    (#match? @_const "^const(expr)?$")) @symbol.constant)
(declaration_list
  (declaration declarator: (init_declarator declarator: (identifier) @name)) @symbol.variable)
