(class_definition
  superclasses: (argument_list
    [
      (identifier) @base
      (attribute) @base
      (subscript value: (identifier) @base)
      (subscript value: (attribute) @base)
    ]))
