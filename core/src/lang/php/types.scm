(simple_parameter type: (_) @type name: (variable_name) @name) @parameter
(property_promotion_parameter type: (_) @type name: (variable_name) @name) @parameter
