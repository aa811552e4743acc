; The documentation of a module stands inside of it.
(call
  target: (identifier) @_define
  (arguments . (alias) @name)
  (do_block
    (unary_operator
      operand: (call
        target: (identifier) @_moduledoc
        (arguments . [(string) @doc (sigil (quoted_content) @doc)])))) @body
  (#eq? @_define "defmodule")
  (#eq? @_moduledoc "moduledoc")) @symbol.module
(call
  target: (identifier) @_define
  (arguments . (alias) @name)
  (do_block) @body
  (#eq? @_define "defmodule")) @symbol.module

(call
  target: (identifier) @_define
  (arguments . (alias) @name)
  (do_block
    (unary_operator
      operand: (call
        target: (identifier) @_moduledoc
        (arguments . [(string) @doc (sigil (quoted_content) @doc)])))) @body
  (#eq? @_define "defprotocol")
  (#eq? @_moduledoc "moduledoc")) @symbol.interface
(call
  target: (identifier) @_define
  (arguments . (alias) @name)
  (do_block) @body
  (#eq? @_define "defprotocol")) @symbol.interface

; defimpl Size, for: BitString: Elixir calls it Size.BitString.
(call
  target: (identifier) @_define
  (arguments . (alias) @owner (keywords (pair key: (keyword) @_for value: (alias) @name)))
  (do_block) @body
  (#eq? @_define "defimpl")
  (#match? @_for "^for:")) @symbol.module
(call
  target: (identifier) @_define
  (arguments . (alias) @name .)
  (do_block) @body
  (#eq? @_define "defimpl")) @symbol.module

; @doc "…", then perhaps @spec, then the function.
((unary_operator
  operand: (call
    target: (identifier) @_doc
    (arguments . [(string) @doc (sigil (quoted_content) @doc)])))
  . [(unary_operator) (comment)]*
  . (call
    target: (identifier) @_define
    (arguments
      . [
        (identifier) @name
        (call target: (identifier) @name)
        (binary_operator
          left: [(identifier) @name (call target: (identifier) @name)]
          operator: "when")
      ])
    (do_block)? @body) @symbol.function
  (#eq? @_doc "doc")
  (#match? @_define "^def(p|delegate)?$"))
(call
  target: (identifier) @_define
  (arguments
    . [
      (identifier) @name
      (call target: (identifier) @name)
      (binary_operator
        left: [(identifier) @name (call target: (identifier) @name)]
        operator: "when")
    ])
  (do_block)? @body
  (#match? @_define "^def(p|delegate)?$")) @symbol.function

((unary_operator
  operand: (call
    target: (identifier) @_doc
    (arguments . [(string) @doc (sigil (quoted_content) @doc)])))
  . [(unary_operator) (comment)]*
  . (call
    target: (identifier) @_define
    (arguments
      . [
        (identifier) @name
        (call target: (identifier) @name)
        (binary_operator
          left: [(identifier) @name (call target: (identifier) @name)]
          operator: "when")
      ])
    (do_block)? @body) @symbol.macro
  (#eq? @_doc "doc")
  (#match? @_define "^def(macro|guard)p?$"))
(call
  target: (identifier) @_define
  (arguments
    . [
      (identifier) @name
      (call target: (identifier) @name)
      (binary_operator
        left: [(identifier) @name (call target: (identifier) @name)]
        operator: "when")
    ])
  (do_block)? @body
  (#match? @_define "^def(macro|guard)p?$")) @symbol.macro

; What a module's struct is called inside of Elixir.
((call target: (identifier) @_define) @symbol.struct
  (#match? @_define "^def(struct|exception)$")
  (#set! name "__struct__"))

; @typedoc "…", then @type t :: …
((unary_operator
  operand: (call
    target: (identifier) @_doc
    (arguments . [(string) @doc (sigil (quoted_content) @doc)])))
  . (unary_operator
    operand: (call
      target: (identifier) @_type
      (arguments
        . (binary_operator
          left: [(identifier) @name (call target: (identifier) @name)]
          operator: "::")))) @symbol.type
  (#eq? @_doc "typedoc")
  (#match? @_type "^(typep?|opaque)$"))
(unary_operator
  operand: (call
    target: (identifier) @_type
    (arguments
      . (binary_operator
        left: [(identifier) @name (call target: (identifier) @name)]
        operator: "::")))
  (#match? @_type "^(typep?|opaque)$")) @symbol.type

; What an implementation of a behaviour has to define.
((unary_operator
  operand: (call
    target: (identifier) @_doc
    (arguments . [(string) @doc (sigil (quoted_content) @doc)])))
  . (unary_operator
    operand: (call
      target: (identifier) @_callback
      (arguments
        . (binary_operator
          left: [
            (call target: (identifier) @name)
            (binary_operator left: (call target: (identifier) @name) operator: "::")
          ])))) @symbol.method
  (#eq? @_doc "doc")
  (#match? @_callback "^(macro)?callback$"))
(unary_operator
  operand: (call
    target: (identifier) @_callback
    (arguments
      . (binary_operator
        left: [
          (call target: (identifier) @name)
          (binary_operator left: (call target: (identifier) @name) operator: "::")
        ])))
  (#match? @_callback "^(macro)?callback$")) @symbol.method

; Other attributes with a value are the module's constants.
(unary_operator
  operator: "@"
  operand: (call target: (identifier) @name (arguments))
  (#not-match? @name "^((module|type|short)?doc|spec|typep?|opaque|(macro)?callback|optional_callbacks|impl|behaviour|derive|enforce_keys|fallback_to_any|dialyzer|compile|(before|after)_(compile|verify)|on_(load|definition)|external_resource|deprecated|since|vsn|nifs|(module|describe)?tag)$")) @symbol.constant
