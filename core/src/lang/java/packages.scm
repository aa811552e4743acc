(package_declaration [(identifier) (scoped_identifier)] @package)
