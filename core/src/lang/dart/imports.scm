(library_import
  (import_specification uri: [(configurable_uri . (uri) @module) (uri) @module])) @import
(library_import (import_specification alias: (identifier) @alias)) @import
(library_import (import_specification (combinator "show" (identifier) @name))) @import

(library_export uri: [(configurable_uri . (uri) @module) (uri) @module]) @import
(library_export (combinator "show" (identifier) @name)) @import

; import 'a.dart' if (dart.library.html) 'b.dart';
(configuration_uri (uri) @module) @import

(part_directive (uri) @module) @import
(part_of_directive (uri) @module) @import
