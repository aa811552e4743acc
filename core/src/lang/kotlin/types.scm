(parameter (identifier) @name . [(user_type) (nullable_type)] @type) @parameter
(class_parameter (identifier) @name . [(user_type) (nullable_type)] @type) @parameter
