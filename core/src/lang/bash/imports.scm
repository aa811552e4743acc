((command name: (command_name (word) @_source) . argument: (_) @module) @import
  (#match? @_source "^(source|[.])$"))
