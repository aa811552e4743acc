(function_definition name: (word) @name) @symbol.function

(program
  (declaration_command
    "readonly"
    (variable_assignment name: (variable_name) @name)) @symbol.constant)

(program
  (declaration_command
    (word) @_flags
    (variable_assignment name: (variable_name) @name)) @symbol.constant
  (#match? @_flags "^-[a-zA-Z]*r"))

(program
  (declaration_command (variable_assignment name: (variable_name) @name)) @symbol.variable)

(program (variable_assignment name: (variable_name) @name) @symbol.variable)
