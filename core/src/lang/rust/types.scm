(parameter pattern: (identifier) @name type: (_) @type) @parameter
