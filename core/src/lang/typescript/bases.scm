(extends_clause value: [(identifier) (member_expression)] @base)
(implements_clause [(type_identifier) (nested_type_identifier) (generic_type)] @base)
(extends_type_clause type: (_) @base)
