((command name: (command_name (word) @name)) @call
  (#not-match? @name "^(source|[.]|:|\\[)$"))
