(delegation_specifier
  [
    (user_type) @base
    (constructor_invocation (user_type) @base)
    (explicit_delegation (user_type) @base)
  ])
