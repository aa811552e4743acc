; store = Store.new, @store = Store.new(path)
(assignment
  left: [(identifier) (instance_variable)] @variable
  right: (call receiver: [(constant) (scope_resolution)]) @made)
(assignment left: [(identifier) (instance_variable)] @variable)
(left_assignment_list (identifier) @variable)
(method_parameters [(identifier) @variable (optional_parameter name: (identifier) @variable)])
(block_parameters (identifier) @variable)
