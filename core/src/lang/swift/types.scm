; The grammar gives the type the field "name" too.
(parameter name: (simple_identifier) @name name: (_) @type) @parameter
