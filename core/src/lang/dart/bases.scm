(superclass type: (type) @base)
(mixins (type) @base)
(interfaces (type) @base)

; class Pair = Base<int> with Counting;
(mixin_application . (type) @base)

; mixin Counting on Base; extension Naming on Store
(mixin_declaration "on" (type) @base)
(extension_declaration class: (type) @base)
