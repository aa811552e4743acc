(superclass [(constant) (scope_resolution)] @base)

; class AddNotes < ActiveRecord::Migration[7.1]
(superclass (element_reference object: (_) @base))
