; use Acme\Clock; use Psr\Log\LoggerInterface as Logger;
(namespace_use_declaration
  (namespace_use_clause . [(qualified_name) (name)] @module !alias) @import)

(namespace_use_declaration
  (namespace_use_clause . [(qualified_name) (name)] @module alias: (name) @alias) @import)

; use Acme\Model\{Order, Line as OrderLine};
(namespace_use_declaration
  (namespace_name) @module
  body: (namespace_use_group
    (namespace_use_clause . [(qualified_name) (name)] @name !alias))) @import

(namespace_use_declaration
  (namespace_name) @module
  body: (namespace_use_group
    (namespace_use_clause . [(qualified_name) (name)] @name alias: (name) @alias))) @import

; include 'config.php'; require_once __DIR__ . '/helpers.php';
[
  (include_expression (_ (string_content) @module))
  (include_once_expression (_ (string_content) @module))
  (require_expression (_ (string_content) @module))
  (require_once_expression (_ (string_content) @module))
  (include_expression (binary_expression right: (_ (string_content) @module)))
  (include_once_expression (binary_expression right: (_ (string_content) @module)))
  (require_expression (binary_expression right: (_ (string_content) @module)))
  (require_once_expression (binary_expression right: (_ (string_content) @module)))
] @import
