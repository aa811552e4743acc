(formal_parameters [(identifier) @variable (assignment_pattern left: (identifier) @variable)])
(field_definition
  property: [(property_identifier) (private_property_identifier)] @field
  value: (new_expression constructor: (_) @made))
