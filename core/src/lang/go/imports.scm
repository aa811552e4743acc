(import_spec path: (_) @module) @import

; import f "fmt"
(import_spec name: (package_identifier) @alias path: (_)) @import

; import . "fmt"
((import_spec name: (dot) path: (_)) @import
  (#set! name "*"))
