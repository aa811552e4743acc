# Edges between the files of an archive as Elixir reads them: `elixir elixir_modules.exs ARCHIVE`.
#
# Files are read with Elixir's own parser (`Code.string_to_quoted`). Modules are those of `defmodule`
# and `defprotocol`, named by what is around them; `alias`, `import`, `require`, `use` and `@behaviour` lead to them,
# aliases are expanded in the order and scope in which they are written. Nothing of the archive is run.
# Prints one JSON object a line: the importing and the imported file; one without the latter for each file read.

defmodule Reader do
  # What is known at a place: the module around it and the aliases.
  defstruct module: nil, aliases: %{}

  def read({:__block__, _, parts}, state, out), do: sequence(parts, state, out)

  def read({word, _, [{:__aliases__, _, [first | _]} = name, [{:do, body}]]}, state, out)
      when word in [:defmodule, :defprotocol] and (is_atom(first) or elem(first, 0) == :__MODULE__) do
    written = parts(name, state, false)
    full = Enum.concat(List.wrap(state.module), written)
    {_, out} = read(body, %{state | module: full}, [{:defines, full} | out])
    # Inside of another module its first name is an alias from here on.
    aliases =
      if state.module, do: Map.put(state.aliases, hd(written), state.module ++ [hd(written)]), else: state.aliases

    {%{state | aliases: aliases}, out}
  end

  def read({word, _, [name | options]}, state, out) when word in [:alias, :import, :require, :use] do
    named = modules(name, state)
    options = if is_list(List.first(options)), do: hd(options), else: []
    as = Keyword.keyword?(options) && options[:as]

    aliases =
      for full <- named, word == :alias or as, reduce: state.aliases do
        all -> Map.put(all, local(as, full), full)
      end

    {%{state | aliases: aliases}, Enum.map(named, &{:imports, &1}) ++ out}
  end

  def read({:@, _, [{:behaviour, _, [name]}]}, state, out),
    do: {state, Enum.map(modules(name, state), &{:imports, &1}) ++ out}

  def read({_, _, arguments}, state, out) when is_list(arguments), do: inside(arguments, state, out)
  def read({left, right}, state, out), do: inside([left, right], state, out)
  def read(list, state, out) when is_list(list), do: inside(list, state, out)
  def read(_, state, out), do: {state, out}

  # What is aliased in a body is not known behind it.
  defp inside(parts, state, out) do
    {state, Enum.reduce(parts, out, fn part, out -> elem(read(part, state, out), 1) end)}
  end

  defp sequence(parts, state, out) do
    Enum.reduce(parts, {state, out}, fn part, {state, out} -> read(part, state, out) end)
  end

  defp local({:__aliases__, _, [name]}, _), do: name
  defp local(_, full), do: List.last(full)

  defp modules({:__aliases__, _, _} = name, state), do: List.wrap(parts(name, state, true)) |> wrap()
  defp modules({:__MODULE__, _, _}, state), do: wrap(state.module)

  defp modules({{:., _, [base, :{}]}, _, names}, state) do
    for base <- modules(base, state), {:__aliases__, _, rest} <- names, do: base ++ rest
  end

  defp modules(_, _), do: []

  defp wrap(nil), do: []
  defp wrap([]), do: []
  defp wrap(full), do: [full]

  defp parts({:__aliases__, _, [{:__MODULE__, _, _} | rest]}, state, _), do: (state.module || []) ++ rest
  defp parts({:__aliases__, _, [Elixir, next | rest]}, _, _), do: [next | rest]

  defp parts({:__aliases__, _, [first | rest] = all}, state, expand) when is_atom(first) do
    if expand and is_map_key(state.aliases, first), do: state.aliases[first] ++ rest, else: all
  end

  defp parts(_, _, _), do: []
end

[archive] = System.argv()
folder = Path.join(System.tmp_dir!(), "elixir_modules_#{System.pid()}")
File.mkdir_p!(folder)
{_, 0} = System.cmd("tar", ["-xf", archive, "-C", folder])
[root] = File.ls!(folder)
root = Path.join(folder, root)

files =
  for path <- Path.wildcard(root <> "/**/*.{ex,exs}", match_dot: true),
      {:ok, tree} <- [Code.string_to_quoted(File.read!(path), columns: false)] do
    {_, found} = Reader.read(tree, struct(Reader), [])
    {Path.relative_to(path, root), Enum.uniq(found)}
  end

defined = for {path, found} <- files, {:defines, name} <- found, reduce: %{} do
  all -> Map.update(all, name, [path], &[path | &1])
end

for {path, found} <- Enum.sort(files) do
  IO.puts(~s({"from": "#{path}"}))
  # A module that several files define (tests do) says nothing of which is meant.
  targets = for {:imports, name} <- found, [target] <- [defined[name]], target != path, do: target
  for target <- targets |> Enum.uniq() |> Enum.sort(), do: IO.puts(~s({"from": "#{path}", "to": "#{target}"}))
end

File.rm_rf!(folder)
