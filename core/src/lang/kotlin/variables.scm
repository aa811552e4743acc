; val store: Store, val store = Store()
(property_declaration
  (variable_declaration (identifier) @variable [(user_type) (nullable_type)] @type))
(property_declaration
  (variable_declaration . (identifier) @variable .)
  (call_expression . [(identifier) (navigation_expression)] @made))
(variable_declaration (identifier) @variable)
