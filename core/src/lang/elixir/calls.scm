((call target: (identifier) @name) @call
  (#not-match? @name "^(def(p|macrop?|guardp?|delegate|module|protocol|impl|struct|exception|overridable)?|alias|import|require|use|case|cond|for|if|unless|quote|unquote|unquote_splicing|receive|try|with)$"))

; Store.read(store), :ets.new(:names, []), Store.count
(call
  target: (dot left: [(alias) (atom)] @receiver right: (identifier) @name)) @call

; store.module.read(name): without arguments it is the field of a map.
(call
  target: (dot
    left: [(identifier) (call) (unary_operator) (access_call) (dot) (map) (tuple)] @receiver
    right: (identifier) @name)
  (arguments)) @call

; text |> decode
(binary_operator operator: "|>" right: (identifier) @name) @call

; The head of a definition looks like a call, and so do attributes and types.
((call
  target: (identifier) @_define
  (arguments . (call target: (identifier) @uncalled)))
  (#match? @_define "^def(p|macrop?|guardp?|delegate)?$"))

((call
  target: (identifier) @_define
  (arguments . (binary_operator left: (call target: (identifier) @uncalled) operator: "when")))
  (#match? @_define "^def(p|macrop?|guardp?|delegate)?$"))

(unary_operator operator: "@" operand: (call target: (identifier) @uncalled))

((unary_operator operand: (call target: (identifier) @_type (arguments) @uncalled))
  (#match? @_type "^(spec|typep?|opaque|(macro)?callback)$"))
