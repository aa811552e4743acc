(class_declaration name: (identifier) @name) @symbol.class

; class A { handle = () => … }
(field_definition
  property: (_) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
  ]) @symbol.method

(field_definition
  property: (property_identifier) @name
  (#match? @name "^_*[A-Z][A-Z0-9_]*$")) @symbol.constant
