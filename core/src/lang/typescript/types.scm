[
  (required_parameter pattern: (identifier) @name type: (type_annotation (_) @type))
  (optional_parameter pattern: (identifier) @name type: (type_annotation (_) @type))
] @parameter

; A parameter of a constructor with a modifier is a field too.
(required_parameter
  [(accessibility_modifier) "readonly"]
  pattern: (identifier) @field
  type: (type_annotation (_) @type))

(public_field_definition
  name: [(property_identifier) (private_property_identifier)] @field
  type: (type_annotation (_) @type))
(public_field_definition
  name: [(property_identifier) (private_property_identifier)] @field
  value: (new_expression constructor: (_) @made))

(variable_declarator
  name: (identifier) @variable
  type: (type_annotation (_) @type))
([
  (required_parameter pattern: (identifier) @variable)
  (optional_parameter pattern: (identifier) @variable)
])
