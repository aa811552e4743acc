; using System; using System.Linq; using static System.Math;
(using_directive !name [(identifier) (qualified_name) (alias_qualified_name)] @module) @import

; using Log = Acme.Logging.Logger;
(using_directive
  name: (identifier) @alias
  [(identifier) (qualified_name) (generic_name) (alias_qualified_name)] @module) @import
