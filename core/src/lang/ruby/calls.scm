(call receiver: (_) @receiver method: (_) @name) @call

((call !receiver method: [(identifier) (constant) (super)] @name) @call
  (#not-match? @name "^(require|require_relative|load|autoload|attr|attr_reader|attr_writer|attr_accessor)$"))
