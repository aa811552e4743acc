# Edges between the files of an archive as Ruby finds them: `ruby ruby_requires.rb ARCHIVE [FOLDER…]`.
#
# FOLDER is a folder of the archive that is on the load path when its code or its tests run. Calls of
# `require`, `require_relative`, `load` and `autoload` with a constant string are read with Ruby's own parser;
# `$LOAD_PATH.resolve_feature_path` says which file is meant. Nothing of the archive is run.
# Prints one JSON object a line: the requiring and the required file; one without the latter for each file read.

require "json"
require "tmpdir"

# The calls with a constant path below a node of the syntax tree.
def calls(node, found = [])
  return found unless node.is_a?(RubyVM::AbstractSyntaxTree::Node)

  if node.type == :FCALL
    name, arguments = node.children
    path = constant(arguments, name == :autoload ? 1 : 0)
    found << [name, path] if path && %i[require require_relative load autoload].include?(name)
  end
  node.children.each { |child| calls(child, found) }
  found
end

def constant(arguments, at)
  return unless arguments.is_a?(RubyVM::AbstractSyntaxTree::Node) && arguments.type == :LIST

  argument = arguments.children[at]
  argument.children.first if argument.is_a?(RubyVM::AbstractSyntaxTree::Node) && argument.type == :STR
end

def find(name, path, file)
  base = File.expand_path(path, File.dirname(file)) if name == :require_relative || path.start_with?("./", "../")
  if base
    [base, "#{base}.rb"].find { |candidate| File.file?(candidate) && candidate.end_with?(".rb") }
  elsif name == :load
    $LOAD_PATH.map { |folder| File.join(folder, path) }.find { |candidate| File.file?(candidate) }
  else
    $LOAD_PATH.resolve_feature_path(path)&.last
  end
end

Dir.mktmpdir do |temporary|
  system("tar", "-xf", ARGV.first, "-C", temporary, exception: true)
  root = File.realpath(Dir.glob("#{temporary}/*").fetch(0))
  $LOAD_PATH.unshift(*ARGV.drop(1).map { |folder| File.join(root, folder) })
  Dir.glob("#{root}/**/*.rb", File::FNM_DOTMATCH).sort.each do |file|
    tree = begin
      RubyVM::AbstractSyntaxTree.parse_file(file)
    rescue SyntaxError
      next
    end
    puts JSON.generate(from: file.delete_prefix("#{root}/"))
    found = calls(tree).filter_map { |name, path| find(name, path, file) }
    found.uniq.sort.each do |target|
      next unless target.is_a?(String) && target.start_with?("#{root}/") && target != file

      puts JSON.generate(from: file.delete_prefix("#{root}/"), to: target.delete_prefix("#{root}/"))
    end
  end
end
