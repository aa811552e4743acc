// Edges between the files of a folder as the TypeScript compiler resolves them:
// `node typescript_imports.mjs FOLDER [CONDITION]`, where the npm package `typescript` is installed beside.
// Each file is resolved with the options of the nearest tsconfig.json, or those of a bundler.
// A condition of package exports can be added, as `customConditions` of a tsconfig does.
// Prints one JSON object a line: the importing and the imported file.

import fs from "node:fs";
import path from "node:path";
import ts from "typescript";

const root = fs.realpathSync(process.argv[2]);
const fallback = {
  allowJs: true,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
};
const customConditions = process.argv.slice(3);
const known = new Map();

function options(folder) {
  if (!known.has(folder)) {
    const config = ts.findConfigFile(folder, ts.sys.fileExists);
    let found = fallback;
    if (config?.startsWith(root)) {
      const { config: json } = ts.readConfigFile(config, ts.sys.readFile);
      const parsed = ts.parseJsonConfigFileContent(json ?? {}, ts.sys, path.dirname(config));
      found = { ...parsed.options, allowJs: true };
    }
    known.set(folder, { ...found, customConditions });
  }
  return known.get(folder);
}

function files(folder) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : files(full);
    return /\.[cm]?[jt]sx?$/.test(entry.name) ? [full] : [];
  });
}

for (const file of files(root).sort()) {
  const text = fs.readFileSync(file, "utf8");
  const names = new Set(ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName));
  // That quick scan does not see `export * as name from`.
  for (const { moduleSpecifier } of ts.createSourceFile(file, text, ts.ScriptTarget.Latest).statements) {
    if (moduleSpecifier) names.add(moduleSpecifier.text);
  }
  const found = new Set();
  for (const fileName of names) {
    const { resolvedModule } = ts.resolveModuleName(fileName, file, options(path.dirname(file)), ts.sys);
    const target = resolvedModule && fs.realpathSync(resolvedModule.resolvedFileName);
    if (target?.startsWith(root + path.sep) && target !== file) found.add(path.relative(root, target));
  }
  for (const to of [...found].sort()) {
    console.log(JSON.stringify({ from: path.relative(root, file), to }));
  }
}
