(extends_clause [(type_identifier) (generic_type) (stable_type_identifier)] @base)
