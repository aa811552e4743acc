; Shared by JavaScript, TypeScript and TSX.

(function_declaration name: (identifier) @name) @symbol.function
(generator_function_declaration name: (identifier) @name) @symbol.function

(method_definition name: (_) @name) @symbol.method

; const f = (a) => …, const f = function () {}
(variable_declarator
  name: (identifier) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @symbol.function

; const f = memo((props) => …), but not const sums = rows.map((row) => …): what calls its argument
; gives no function
(variable_declarator
  name: (identifier) @name
  value: (call_expression
    function: (_) @_wrapper
    arguments: (arguments . [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
    ]))
  (#not-match? @_wrapper "[.](map|flatMap|filter|reduce|reduceRight|forEach|some|every|find|findIndex|findLast|findLastIndex|sort|toSorted|then|catch|finally|createServer|subscribe|listen|nextTick)$")
  (#not-match? @_wrapper "^(setTimeout|setInterval|setImmediate|requestAnimationFrame|run|createServer)$")) @symbol.function

(variable_declarator
  name: (identifier) @name
  value: (class body: (_) @body)) @symbol.class

; module.exports = function create() {}
(assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: [
    (function_expression name: (identifier) @name body: (_) @body)
    (generator_function name: (identifier) @name body: (_) @body)
  ]
  (#eq? @_module "module")
  (#eq? @_exports "exports")) @symbol.function

(assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: (class name: (_) @name body: (_) @body)
  (#eq? @_module "module")
  (#eq? @_exports "exports")) @symbol.class

; module.exports = (a) => …
(assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @name)
  right: [
    (arrow_function body: (_) @body)
    (function_expression !name body: (_) @body)
  ]
  (#eq? @_module "module")
  (#eq? @name "exports")) @symbol.function

; exports.f = function () {}, app.use = function use() {}, Store.prototype.get = () => …
(assignment_expression
  left: (member_expression object: (_) @owner property: (property_identifier) @name)
  right: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]
  (#not-eq? @owner "module")) @symbol.function

(assignment_expression
  left: (member_expression object: (_) @owner property: (property_identifier) @name)
  right: (class body: (_) @body)
  (#not-eq? @owner "module")) @symbol.class

; Store.prototype = { get: function () {} }
(assignment_expression
  left: (member_expression object: (_) @owner property: (property_identifier) @_prototype)
  right: (object
    (pair
      key: (property_identifier) @name
      value: [
        (arrow_function body: (_) @body)
        (function_expression body: (_) @body)
      ]) @symbol.method)
  (#eq? @_prototype "prototype"))

; const api = { get: () => … }, module.exports = { get: () => … }, export default { get: () => … }
[
  (variable_declarator
    value: (object
      (pair
        key: (property_identifier) @name
        value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @symbol.function))
  (assignment_expression
    right: (object
      (pair
        key: (property_identifier) @name
        value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @symbol.function))
  (export_statement
    value: (object
      (pair
        key: (property_identifier) @name
        value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @symbol.function))
]

; defineGetter(req, 'protocol', function protocol() {})
(arguments
  . (identifier) @owner
  . (string)
  . (function_expression name: (identifier) @name) @symbol.function)

; return function handle() {}, router.get('/', function index() {})
(return_statement (function_expression name: (identifier) @name) @symbol.function)
(arguments (function_expression name: (identifier) @name) @symbol.function)

; export default () => …
(export_statement
  value: (arrow_function body: (_) @body) @symbol.function
  (#set! name "default"))

; exports.limit = 5
(program
  (expression_statement
    (assignment_expression
      left: (member_expression object: (_) @owner property: (property_identifier) @name)
      right: (_) @_value) @symbol.variable)
  (#match? @owner "^(module\\.)?exports$")
  (#not-match? @_value "^require\\("))

; Names in capitals are constants by convention, whatever declares them.
(program
  [
    (lexical_declaration (variable_declarator name: (identifier) @name value: (_) @_value) @symbol.constant)
    (variable_declaration (variable_declarator name: (identifier) @name value: (_) @_value) @symbol.constant)
    (export_statement
      declaration: (lexical_declaration (variable_declarator name: (identifier) @name value: (_) @_value) @symbol.constant))
  ]
  (#match? @name "^_*[A-Z][A-Z0-9_]*$")
  (#not-match? @_value "^(await\\s+)?(require|import)\\s*\\("))

(program
  [
    (lexical_declaration (variable_declarator name: (identifier) @name value: (_) @_value) @symbol.variable)
    (variable_declaration (variable_declarator name: (identifier) @name value: (_) @_value) @symbol.variable)
    (export_statement
      declaration: (lexical_declaration (variable_declarator name: (identifier) @name value: (_) @_value) @symbol.variable))
  ]
  (#not-match? @_value "^(await\\s+)?(require|import)\\s*\\("))
