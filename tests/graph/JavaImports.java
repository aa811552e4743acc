import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.TypeKind;
import javax.tools.ToolProvider;

/**
 * Edges between the Java files of a folder as javac finds them: {@code java JavaImports.java FOLDER SOURCES…}.
 *
 * <p>SOURCES are the folders below FOLDER that are compiled together, such as {@code src/main/java}. An import of
 * a type leads to the file that declares it, a static import to the file of its class, and a {@code *} to the
 * files of the package's types that the importing file names. Libraries need not be there: javac goes on after
 * errors. Prints one JSON object a line: the importing and the imported file; one without the latter for each
 * file read.
 */
public final class JavaImports {
    private final Path root;
    private final Trees trees;

    private JavaImports(Path root, Trees trees) {
        this.root = root;
        this.trees = trees;
    }

    public static void main(String[] args) throws IOException {
        var root = Path.of(args[0]).toRealPath();
        var files = new ArrayList<Path>();
        for (var sources : List.of(args).subList(1, args.length)) {
            try (var walk = Files.walk(root.resolve(sources))) {
                // One module is compiled at a time, several are read here.
                walk.filter(file -> file.toString().endsWith(".java"))
                        .filter(file -> !file.endsWith("module-info.java"))
                        .forEach(files::add);
            }
        }
        var compiler = ToolProvider.getSystemJavaCompiler();
        var manager = compiler.getStandardFileManager(null, null, null);
        var options = List.of("-proc:none", "-XDshould-stop.ifError=FLOW");
        var silent = Writer.nullWriter();
        var units = manager.getJavaFileObjectsFromPaths(files);
        var task = (JavacTask) compiler.getTask(silent, manager, problem -> {}, options, null, units);
        var parsed = task.parse();
        task.analyze();
        var imports = new JavaImports(root, Trees.instance(task));
        try (var out = new OutputStreamWriter(System.out)) {
            for (var unit : parsed) {
                imports.print(unit, out);
            }
        }
    }

    private void print(CompilationUnitTree unit, Writer out) throws IOException {
        var from = relative(unit);
        out.write("{\"from\": \"%s\"}%n".formatted(from));
        var found = new TreeSet<String>();
        var opened = new HashSet<String>();
        for (var imported : unit.getImports()) {
            follow(unit, imported, found, opened);
        }
        new TreePathScanner<Void, Void>() {
            @Override
            public Void visitIdentifier(IdentifierTree tree, Void nothing) {
                if (trees.getElement(getCurrentPath()) instanceof TypeElement type && isOpened(type, opened)) {
                    add(type, found);
                }
                return super.visitIdentifier(tree, nothing);
            }
        }.scan(unit, null);
        found.remove(from);
        for (var to : found) {
            out.write("{\"from\": \"%s\", \"to\": \"%s\"}%n".formatted(from, to));
        }
    }

    private void follow(CompilationUnitTree unit, ImportTree imported, Set<String> found, Set<String> opened) {
        var path = new TreePath(new TreePath(new TreePath(unit), imported), imported.getQualifiedIdentifier());
        var name = (MemberSelectTree) path.getLeaf();
        var isAll = name.getIdentifier().contentEquals("*");
        if (!imported.isStatic() && !isAll) {
            add(trees.getElement(path), found);
            return;
        }
        var owner = trees.getElement(new TreePath(path, (Tree) name.getExpression()));
        if (owner instanceof TypeElement) {
            add(owner, found);
        } else if (isAll) {
            opened.add(name.getExpression().toString());
        }
    }

    private static boolean isOpened(TypeElement type, Set<String> opened) {
        return opened.contains(type.getEnclosingElement().toString());
    }

    private void add(Element element, Set<String> found) {
        if (element == null || element.asType().getKind() == TypeKind.ERROR) {
            return;
        }
        var path = trees.getPath(element);
        if (path != null) {
            found.add(relative(path.getCompilationUnit()));
        }
    }

    private String relative(CompilationUnitTree unit) {
        return root.relativize(Path.of(unit.getSourceFile().toUri())).toString();
    }
}
