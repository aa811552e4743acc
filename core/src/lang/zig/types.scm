(parameter name: (identifier) @name type: (_) @type) @parameter
