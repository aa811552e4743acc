(formal_parameter (type) @type . name: (identifier) @name) @parameter
