(module name: (_) @name) @symbol.module
(class name: (_) @name) @symbol.class

; Entry = Struct.new(:name) do … end
((assignment
  left: (constant) @name
  right: (call
    receiver: (constant) @_maker
    method: (identifier) @_new
    block: (_)? @body)) @symbol.class
  (#match? @_maker "^(Struct|Class|Data|Module)$")
  (#match? @_new "^(new|define)$"))

(assignment left: (constant) @name) @symbol.constant

; Functions of a module are mixed into classes.
(module body: (body_statement (method name: (_) @name) @symbol.method))
(method name: (_) @name) @symbol.function
(singleton_method name: (_) @name) @symbol.method

((call
  method: (identifier) @_attr
  arguments: (argument_list (simple_symbol) @name)) @symbol.variable
  (#match? @_attr "^(attr|attr_reader|attr_writer|attr_accessor)$"))

((call
  method: (identifier) @_define
  arguments: (argument_list . [(simple_symbol) (string (string_content))] @name)) @symbol.method
  (#match? @_define "^(define_method|alias_method|delegate)$"))

(alias name: (_) @name) @symbol.method
