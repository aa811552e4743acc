(typed_parameter . (identifier) @name type: (_) @type) @parameter
(typed_default_parameter name: (identifier) @name type: (_) @type) @parameter
