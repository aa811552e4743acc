(base_list [(identifier) (qualified_name) (generic_name) (alias_qualified_name)] @base)
