(namespace_definition name: (namespace_name) @package)
