// Edges between the Go files of a folder as Go's type checker finds them: `go run go_uses.go FOLDER`.
//
// A file leads to another if it imports the other's package and uses something that is declared there: a name,
// a method, a field. An import for its effects alone leads to the files with an `init`. Files for other systems
// are left out; what lies outside the folder's modules may be missing.
// Prints one JSON object a line: the importing and the imported file; one without the latter for each file read.
package main

import (
	"encoding/json"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// edge without To: the file was read and leads nowhere.
type edge struct {
	From string `json:"from"`
	To   string `json:"to,omitempty"`
}

// folder is one package's files: its own, its tests, and the tests beside it in a package of their own.
type folder struct {
	own, inner, outer []*ast.File
}

type finder struct {
	root    string
	files   *token.FileSet
	modules map[string]string  // path to folder
	folders map[string]*folder // by import path
	checked map[string]*types.Package
	library types.Importer
	edges   map[edge]bool
}

var modulePath = regexp.MustCompile(`(?m)^module\s+"?([^\s"]+)`)

func main() {
	root, err := filepath.EvalSymlinks(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	f := &finder{
		root: root, files: token.NewFileSet(), library: importer.Default(),
		modules: map[string]string{}, folders: map[string]*folder{},
		checked: map[string]*types.Package{}, edges: map[edge]bool{},
	}
	f.walk(f.readModule)
	f.walk(f.readFile)
	for path, folder := range f.folders {
		f.check(path, folder.own, folder.own)
		f.check(path, append(append([]*ast.File{}, folder.own...), folder.inner...), folder.inner)
		f.check(path+"_test", folder.outer, folder.outer)
	}
	f.print()
}

func (f *finder) walk(visit func(path string)) {
	err := filepath.WalkDir(f.root, func(path string, entry os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "vendor"):
			return filepath.SkipDir
		case !entry.IsDir():
			visit(path)
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
}

func (f *finder) readModule(path string) {
	if filepath.Base(path) != "go.mod" {
		return
	}
	text, err := os.ReadFile(path)
	if found := modulePath.FindSubmatch(text); err == nil && found != nil {
		f.modules[string(found[1])] = filepath.Dir(path)
	}
}

func (f *finder) readFile(path string) {
	dir, name := filepath.Split(path)
	if !strings.HasSuffix(name, ".go") {
		return
	}
	if matches, err := build.Default.MatchFile(dir, name); err != nil || !matches {
		return
	}
	file, err := parser.ParseFile(f.files, path, nil, 0)
	if err != nil {
		return
	}
	place := f.importPath(filepath.Clean(dir))
	if f.folders[place] == nil {
		f.folders[place] = &folder{}
	}
	found := f.folders[place]
	switch {
	case !strings.HasSuffix(name, "_test.go"):
		found.own = append(found.own, file)
	case strings.HasSuffix(file.Name.Name, "_test"):
		found.outer = append(found.outer, file)
	default:
		found.inner = append(found.inner, file)
	}
}

// importPath is that of a folder, by the nearest module around it.
func (f *finder) importPath(dir string) string {
	best, bestDir := "", ""
	for path, moduleDir := range f.modules {
		inside := dir == moduleDir || strings.HasPrefix(dir, moduleDir+"/")
		if inside && len(moduleDir) > len(bestDir) {
			best, bestDir = path, moduleDir
		}
	}
	return best + filepath.ToSlash(strings.TrimPrefix(dir, bestDir))
}

// Import gives a package of the folder, else one of the library, else an empty one.
func (f *finder) Import(path string) (*types.Package, error) {
	if checked := f.checked[path]; checked != nil {
		return checked, nil
	}
	if folder := f.folders[path]; folder != nil && len(folder.own) > 0 {
		return f.check(path, folder.own, nil), nil
	}
	found, err := f.library.Import(path)
	if err != nil {
		found = types.NewPackage(path, filepath.Base(path))
		found.MarkComplete()
	}
	f.checked[path] = found
	return found, nil
}

// check reads the files as one package and notes the edges of those in from.
func (f *finder) check(path string, files, from []*ast.File) *types.Package {
	if len(files) == 0 {
		return nil
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: f, Error: func(error) {}, FakeImportC: true}
	checked, _ := config.Check(path, f.files, files, info)
	if f.checked[path] == nil {
		f.checked[path] = checked
	}
	imported := map[string]map[string]bool{}
	for _, file := range from {
		f.edges[edge{From: strings.TrimPrefix(f.path(file.Pos()), f.root+"/")}] = true
		imported[f.path(file.Pos())] = f.imports(file)
	}
	for ident, object := range info.Uses {
		file := f.path(ident.Pos())
		pkg := object.Pkg()
		// What was not read from its source has places that mean nothing here.
		if pkg != nil && pkg.Path() != path && f.folders[pkg.Path()] != nil && imported[file][pkg.Path()] {
			f.add(file, f.path(object.Pos()))
		}
	}
	return checked
}

// imports are a file's import paths; the edges of those for effects alone are noted here.
func (f *finder) imports(file *ast.File) map[string]bool {
	paths := map[string]bool{}
	for _, spec := range file.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		paths[path] = true
		folder := f.folders[path]
		if spec.Name == nil || spec.Name.Name != "_" || folder == nil {
			continue
		}
		for _, other := range folder.own {
			if hasInit(other) {
				f.add(f.path(file.Pos()), f.path(other.Pos()))
			}
		}
	}
	return paths
}

func hasInit(file *ast.File) bool {
	for _, declaration := range file.Decls {
		if function, ok := declaration.(*ast.FuncDecl); ok && function.Recv == nil && function.Name.Name == "init" {
			return true
		}
	}
	return false
}

func (f *finder) path(at token.Pos) string {
	return f.files.Position(at).Filename
}

func (f *finder) add(from, to string) {
	relative := func(path string) string { return strings.TrimPrefix(path, f.root+"/") }
	if strings.HasPrefix(to, f.root+"/") && from != to {
		f.edges[edge{From: relative(from), To: relative(to)}] = true
	}
}

func (f *finder) print() {
	var edges []edge
	for edge := range f.edges {
		edges = append(edges, edge)
	}
	sort.Slice(edges, func(i, j int) bool {
		return edges[i].From < edges[j].From || edges[i].From == edges[j].From && edges[i].To < edges[j].To
	})
	out := json.NewEncoder(os.Stdout)
	for _, edge := range edges {
		if err := out.Encode(edge); err != nil {
			log.Fatal(err)
		}
	}
}
