; $store = new Store(), $this->store = new Store()
(assignment_expression
  left: [(variable_name) (member_access_expression object: (variable_name))] @variable
  right: (object_creation_expression (_) @made))
(assignment_expression
  left: [(variable_name) (member_access_expression object: (variable_name))] @variable)
(foreach_statement (_) (variable_name) @variable)
(simple_parameter !type name: (variable_name) @variable)

(property_declaration type: (_) @type (property_element name: (variable_name) @field))
(property_promotion_parameter type: (_) @type name: (variable_name) @field)
