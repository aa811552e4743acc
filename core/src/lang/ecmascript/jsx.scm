; <Button/> calls the component; lower-case names are elements of HTML.
([
  (jsx_self_closing_element name: (identifier) @name)
  (jsx_opening_element name: (identifier) @name)
] @call
  (#match? @name "^[A-Z]"))

([
  (jsx_self_closing_element name: (member_expression object: (_) @receiver property: (_) @name))
  (jsx_opening_element name: (member_expression object: (_) @receiver property: (_) @name))
] @call)
