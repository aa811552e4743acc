// Judges the calls of a TypeScript archive's graph by the TypeScript compiler's types:
// `node typescript_calls.mjs FOLDER [--wrong] < calls.jsonl`, where `typescript` (npm) is installed beside.
// FOLDER is the unpacked archive, calls.jsonl what `footnote graph ARCHIVE --all-calls` printed.
// Prints how many certain calls lead to the definition that the compiler finds, to another, and how many
// it knows nothing of; with --wrong, the second kind.

import fs from "node:fs";
import path from "node:path";
import ts from "typescript";

const root = fs.realpathSync(process.argv[2]);
const rows = fs.readFileSync(0, "utf8").trim().split("\n").map((line) => JSON.parse(line));
const certain = rows.filter((row) => row.weight >= 1 && /\.[cm]?tsx?$/.test(row.from) && !row.from.endsWith(".d.ts"));
const options = {
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  target: ts.ScriptTarget.ESNext,
  strict: true,
  skipLibCheck: true,
};
const program = ts.createProgram([...new Set(certain.map((row) => path.join(root, row.from)))], options);
const checker = program.getTypeChecker();

function declarations(file, line, name) {
  const found = [];
  const visit = (node) => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const called = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
      const at = file.getLineAndCharacterOfPosition(called.getStart(file)).line + 1;
      if (at === line && called.getText(file) === name) {
        let symbol = checker.getSymbolAtLocation(called);
        if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
        found.push(...(symbol?.declarations ?? []));
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found.map((node) => {
    const source = node.getSourceFile();
    const start = (node.name ?? node).getStart(source);
    return [path.relative(root, source.fileName), source.getLineAndCharacterOfPosition(start).line + 1];
  });
}

const counts = { same: 0, other: 0, unknown: 0 };
for (const row of certain) {
  const file = program.getSourceFile(path.join(root, row.from));
  const found = file ? declarations(file, row.line, row.name) : [];
  const isSame = found.some(([to, line]) => to === row.to && line === row.defined);
  const kind = found.length === 0 ? "unknown" : isSame ? "same" : "other";
  counts[kind] += 1;
  if (kind === "other" && process.argv.includes("--wrong")) console.log(JSON.stringify(row), JSON.stringify(found));
}
console.log(JSON.stringify(counts));
