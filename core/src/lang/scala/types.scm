(parameter name: (identifier) @name type: (_) @type) @parameter
(class_parameter name: (identifier) @name type: (_) @type) @parameter
