(parameter type: (_) @type name: (identifier) @name) @parameter
