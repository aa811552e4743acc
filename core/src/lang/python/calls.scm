(call function: (identifier) @name) @call

(call function: (attribute object: (_) @receiver attribute: (identifier) @name)) @call
