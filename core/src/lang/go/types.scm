(parameter_declaration name: (identifier) @name type: (_) @type) @parameter
