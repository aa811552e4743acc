; Several clauses at the top are one package: package a; package b.
(compilation_unit . [(comment) (block_comment)]* . (package_clause name: (_) @package))
(compilation_unit (package_clause) . (package_clause name: (_) @package))
