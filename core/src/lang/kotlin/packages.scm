(package_header (qualified_identifier) @package)
