(namespace_declaration name: (_) @package)
(file_scoped_namespace_declaration name: (_) @package)
