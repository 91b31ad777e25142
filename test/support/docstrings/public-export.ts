import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ts } from '../../../tools/compiler/typescript.js';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PACKAGES = [
  'core',
  'http',
  'pages',
  'express-adapter',
  'testing',
  'operations',
  'server',
  'cli',
  'verifier',
  'client',
];

/** What the packages of the product share: nothing for anybody else. */
const INTERNAL = /^\.\/internal\b/;

/** Something a package offers, with what its docstring says. */
export interface PublicExport {
  /** The entry it comes from, such as `@latchkey/testing`. */
  entry: string;
  name: string;
  /** True if it exists at run time; false for types. */
  isValue: boolean;
  /** True for functions, constants that can be called, and classes. */
  isCallable: boolean;
  description: string;
  /** The code of each `@example`. */
  examples: string[];
  /** Its location, as `path:line`. */
  place: string;
}

/** A published entry and the file it is built from. */
export interface Entry {
  name: string;
  source: string;
}

export const entries: readonly Entry[] = PACKAGES.flatMap((folder) => {
  const manifest = JSON.parse(readFileSync(`${ROOT}packages/${folder}/package.json`, 'utf8')) as {
    name: string;
    exports: Record<string, string | { 'latchkey-source': string }>;
  };
  return Object.entries(manifest.exports).flatMap(([subpath, target]) =>
    typeof target === 'string' || INTERNAL.test(subpath) || subpath.endsWith('.css')
      ? []
      : [
          {
            name: path.posix.join(manifest.name, subpath),
            source: path.join(ROOT, 'packages', folder, target['latchkey-source']),
          },
        ],
  );
});

/** The settings under which the repository compiles, and the components of the client. */
export function compilerOptions(): ts.CompilerOptions {
  const file = ts.readJsonConfigFile(`${ROOT}tsconfig.json`, (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonSourceFileConfigFileContent(
    file,
    { ...ts.sys, readDirectory: () => [] },
    ROOT,
  );
  return { ...options, jsx: ts.JsxEmit.ReactJSX };
}

const parsed = new Map<string, ts.SourceFile | undefined>();

/** Reads each file once, for all programs. */
export function compilerHost(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  return {
    ...host,
    getSourceFile: (file, ...rest) => {
      if (!parsed.has(file)) parsed.set(file, host.getSourceFile(file, ...rest));
      return parsed.get(file);
    },
  };
}

/** Everything the packages offer; what several entries offer comes once for each. */
export function publicExports(): PublicExport[] {
  const sources = entries.map(({ source }) => source);
  const options = compilerOptions();
  const program = ts.createProgram(sources, options, compilerHost(options));
  const checker = program.getTypeChecker();
  return entries.flatMap(({ name, source }) => {
    const file = program.getSourceFile(source);
    const module = file && checker.getSymbolAtLocation(file);
    if (!module) throw new Error(`${source} exports nothing`);
    return checker.getExportsOfModule(module).map((symbol) => describeExport(name, symbol, checker));
  });
}

function describeExport(entry: string, exported: ts.Symbol, checker: ts.TypeChecker): PublicExport {
  const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
  const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
  const examples = symbol.getJsDocTags(checker).filter((tag) => tag.name === 'example');
  return {
    entry,
    name: exported.name,
    isValue: (symbol.flags & ts.SymbolFlags.Value) !== 0 && !isOfferedAsType(exported),
    isCallable: isCallable(symbol, checker),
    description: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
    examples: examples.map((tag) => codeOf(ts.displayPartsToString(tag.text))),
    place: placeOf(symbol),
  };
}

function isCallable(symbol: ts.Symbol, checker: ts.TypeChecker): boolean {
  if ((symbol.flags & ts.SymbolFlags.Class) !== 0) return true;
  return (
    (symbol.flags & ts.SymbolFlags.Value) !== 0 &&
    checker.getTypeOfSymbol(symbol).getCallSignatures().length > 0
  );
}

/** A class may be offered as a type alone. */
const isOfferedAsType = ({ declarations = [] }: ts.Symbol): boolean =>
  declarations.some(
    (each) => ts.isExportSpecifier(each) && (each.isTypeOnly || each.parent.parent.isTypeOnly),
  );

function placeOf(symbol: ts.Symbol): string {
  const [declaration] = symbol.declarations ?? [];
  if (!declaration) return 'nowhere';
  const file = declaration.getSourceFile();
  const { line } = file.getLineAndCharacterOfPosition(declaration.getStart());
  return `${path.relative(ROOT, file.fileName)}:${line + 1}`;
}

/** Without the fence around it. */
const codeOf = (text: string): string => /```ts\n([\s\S]*?)```/.exec(text)?.[1] ?? text;
