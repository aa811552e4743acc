<?php
// Edges between the PHP files of a folder as Composer's autoloader finds them:
// `php php_uses.php FOLDER [PACKAGE…]`.
//
// PACKAGE is a folder below FOLDER with a composer.json of its own whose classes FOLDER's does not know. Made ready
// by `composer dump-autoload --no-plugins --no-scripts --optimize` in each, which writes down where classes are.
// `use` of classes, functions and constants and constant paths of `require` and `include` are read
// with PHP's own tokens. Prints one JSON object a line: the importing and the imported file; one without the
// latter for each file read.

$root = realpath($argv[1]);
require "$root/vendor/composer/ClassLoader.php";
$loader = new Composer\Autoload\ClassLoader();
$functions = [];
foreach (['.', ...array_slice($argv, 2)] as $package) {
    $composer = "$root/$package/vendor/composer";
    $loader->addClassMap(require "$composer/autoload_classmap.php");
    foreach (require "$composer/autoload_psr4.php" as $prefix => $folders) {
        $loader->addPsr4($prefix, $folders);
    }
    foreach (require "$composer/autoload_namespaces.php" as $prefix => $folders) {
        $loader->add($prefix, $folders);
    }
    foreach (is_file("$composer/autoload_files.php") ? require "$composer/autoload_files.php" : [] as $file) {
        $functions += functions($file);
    }
}
$files = new RecursiveIteratorIterator(new RecursiveDirectoryIterator($root, FilesystemIterator::SKIP_DOTS));
$edges = [];
foreach ($files as $file) {
    $path = $file->getPathname();
    if ($file->getExtension() !== 'php' || is_made($path)) {
        continue;
    }
    $edges[] = [substr($path, strlen($root) + 1)];
    foreach (targets($path, $loader, $functions) as $to) {
        $to = realpath($to);
        if ($to && $to !== $path && str_starts_with($to, "$root/") && !is_made($to)) {
            $edges[] = [substr($path, strlen($root) + 1), substr($to, strlen($root) + 1)];
        }
    }
}
sort($edges);
foreach (array_unique($edges, SORT_REGULAR) as $edge) {
    $edge = array_combine(array_slice(['from', 'to'], 0, count($edge)), $edge);
    echo json_encode($edge, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE), "\n";
}

/** Whether Composer wrote the file a moment ago. */
function is_made(string $path): bool
{
    return str_contains($path, '/vendor/composer/') || str_ends_with($path, '/vendor/autoload.php');
}

/** The tokens that mean something. */
function tokens(string $file): array
{
    $all = PhpToken::tokenize((string) file_get_contents($file));
    return array_values(array_filter($all, fn ($token) => !$token->isIgnorable()));
}

/** Functions and constants that a file declares, in lower case, with their namespace. */
function functions(string $file): array
{
    $tokens = tokens($file);
    [$space, $depth, $found] = ['', 0, []];
    foreach ($tokens as $at => $token) {
        $next = $tokens[$at + 1] ?? null;
        if ($token->is(T_NAMESPACE) && $next->is([T_STRING, T_NAME_QUALIFIED])) {
            $space = $next->text . '\\';
        } elseif ($token->is([T_FUNCTION, T_CONST]) && $next->is(T_STRING)) {
            $found[strtolower($space . $next->text)] = $file;
        }
    }
    return $found;
}

/** The files that a file names. */
function targets(string $file, Composer\Autoload\ClassLoader $loader, array $functions): array
{
    $tokens = tokens($file);
    [$found, $braces, $inner] = [[], 0, []];
    foreach ($tokens as $at => $token) {
        // `use` below a class's brace takes a trait, after `)` what a closure keeps.
        if ($token->is(['{', T_CURLY_OPEN, T_DOLLAR_OPEN_CURLY_BRACES])) {
            $braces++;
            $inner[] = opens_namespace($tokens, $at) ? 0 : 1;
        } elseif ($token->text === '}') {
            $braces--;
            array_pop($inner);
        } elseif ($token->is(T_USE) && array_sum($inner) === 0 && ($tokens[$at - 1]->text ?? '') !== ')') {
            foreach (used($tokens, $at + 1) as [$kind, $name]) {
                $found[] = $kind === T_CLASS ? $loader->findFile($name) : $functions[strtolower($name)] ?? null;
            }
        } elseif ($token->is([T_REQUIRE, T_REQUIRE_ONCE, T_INCLUDE, T_INCLUDE_ONCE])) {
            $path = constant_path($tokens, $at + 1, $file);
            $found[] = $path !== null && is_file($path) ? $path : null;
        }
    }
    return array_filter($found);
}

function opens_namespace(array $tokens, int $at): bool
{
    $before = $tokens[$at - 1] ?? null;
    $first = $before?->is([T_STRING, T_NAME_QUALIFIED]) ? $tokens[$at - 2] ?? null : $before;
    return (bool) $first?->is(T_NAMESPACE);
}

/** What one `use` statement names: kind and full name, groups taken apart. */
function used(array $tokens, int $at): array
{
    [$kind, $prefix, $found, $one] = [T_CLASS, '', [], T_CLASS];
    for (; isset($tokens[$at]) && $tokens[$at]->text !== ';'; $at++) {
        $token = $tokens[$at];
        if ($token->is([T_FUNCTION, T_CONST])) {
            $one = $token->id;
            $kind = $prefix === '' ? $token->id : $kind;
        } elseif ($token->is(T_AS)) {
            $at++;
        } elseif ($token->is([T_STRING, T_NAME_QUALIFIED, T_NAME_FULLY_QUALIFIED])) {
            if (($tokens[$at + 1]->text ?? '') === '\\') {
                $prefix = ltrim($token->text, '\\') . '\\';
                continue;
            }
            $found[] = [$one === T_CLASS ? $kind : $one, $prefix . ltrim($token->text, '\\')];
            $one = T_CLASS;
        }
    }
    return $found;
}

/** The value of a path made of strings, `__DIR__` and `dirname`; null if anything else is in it. */
function constant_path(array $tokens, int $at, string $file): ?string
{
    $code = '';
    for ($depth = 0; isset($tokens[$at]); $at++) {
        $token = $tokens[$at];
        $depth += ($token->text === '(') - ($token->text === ')');
        if ($depth < 0 || in_array($token->text, [';', ',', '?', ':']) && $depth === 0 || $token->is(T_CLOSE_TAG)) {
            break;
        }
        $is_constant = $token->is([T_CONSTANT_ENCAPSED_STRING, T_LNUMBER, T_DIR, T_FILE])
            || in_array($token->text, ['.', '(', ')', ','])
            || in_array(strtolower($token->text), ['dirname', '\\dirname']);
        if (!$is_constant) {
            return null;
        }
        $code .= match (true) {
            $token->is(T_DIR) => var_export(dirname($file), true),
            $token->is(T_FILE) => var_export($file, true),
            default => $token->text,
        } . ' ';
    }
    try {
        // Nothing but strings and `dirname` is left.
        $path = eval("return $code;");
    } catch (ParseError) {
        return null;
    }
    return is_string($path) ? (str_starts_with($path, '/') ? $path : dirname($file) . "/$path") : null;
}
