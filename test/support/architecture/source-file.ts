import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ts } from '../../../tools/compiler/typescript.js';

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));

const IS_SOURCE = /^(packages\/[^/]+\/src|tools\/[^/]+)\/.*(?<!\.test|\.d)\.(ts|js|mjs)$/;

/** One `import`, `export … from`, `import()` or `import('…').Type` of a file. */
export interface Import {
  specifier: string;
  /** Gone after compilation. */
  isTypeOnly: boolean;
  /** Loaded when the code around it runs, not before. */
  isDynamic: boolean;
  /** A relative specifier as a path from the repository's root, in TypeScript spelling. */
  target: string | undefined;
}

/** A source file of a package, parsed and not executed. */
export interface SourceFile {
  /** From the repository's root, with slashes: `packages/core/src/users/user.ts`. */
  path: string;
  /** Name of the package's or the tool's folder: `core`. */
  package: string;
  syntax: ts.SourceFile;
  imports: Import[];
}

/** Every source file of the packages but the tests. */
export const readPackageSources = (): SourceFile[] => readSources('packages');

/** Every source file of the tools. */
export const readToolSources = (): SourceFile[] => readSources('tools');

function readSources(folder: string): SourceFile[] {
  return fs
    .readdirSync(path.join(REPOSITORY, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => path.posix.join(folder, file.split(path.sep).join('/')))
    .filter((file) => IS_SOURCE.test(file) && !file.includes('/node_modules/'))
    .map((file) => parseSource(file, fs.readFileSync(path.join(REPOSITORY, file), 'utf8')));
}

export function parseSource(file: string, text: string): SourceFile {
  const syntax = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const imports: Import[] = [];
  for (const node of allNodes(syntax)) {
    const found = importOf(node);
    if (found) imports.push({ ...found, target: resolve(file, found.specifier) });
  }
  return { path: file, package: file.split('/')[1] ?? '', syntax, imports };
}

/** Yields a node and everything in it, in the order of the text. Not by recursion: each level would pass every node on. */
export function* allNodes(top: ts.Node): Generator<ts.Node> {
  const left = [top];
  for (let node = left.pop(); node; node = left.pop()) {
    yield node;
    const children: ts.Node[] = [];
    ts.forEachChild(node, (child) => void children.push(child));
    left.push(...children.reverse());
  }
}

function importOf(node: ts.Node): Omit<Import, 'target'> | undefined {
  if (ts.isImportDeclaration(node)) {
    return described(node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword);
  }
  if (ts.isExportDeclaration(node)) return described(node.moduleSpecifier, node.isTypeOnly);
  if (ts.isImportTypeNode(node)) {
    return described(ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined, true);
  }
  const isCall = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  const called = isCall ? described(node.arguments[0], false) : undefined;
  return called && { ...called, isDynamic: true };
}

function described(specifier: ts.Node | undefined, isTypeOnly: boolean): Omit<Import, 'target'> | undefined {
  if (!specifier || !ts.isStringLiteralLike(specifier)) return undefined;
  return { specifier: specifier.text, isTypeOnly, isDynamic: false };
}

/** `./x.js` names `x.ts`, except where there really is an `x.js`. */
function resolve(importer: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const target = path.posix.join(path.posix.dirname(importer), specifier);
  return fs.existsSync(path.join(REPOSITORY, target)) ? target : target.replace(/\.js$/, '.ts');
}

/** The parts of a package.json that other packages see. */
export interface PackageManifest {
  /** `@latchkey/core` */
  name: string;
  /** Sources behind the published entries, from the repository's root. */
  entries: string[];
  /** Every package it may import. */
  dependencies: string[];
  /** Packages that the build bundles into scripts for browsers. */
  bundled: string[];
  /** Specifiers others may use: `@latchkey/core`, `@latchkey/core/keys`. */
  specifiers: string[];
}

/** The condition under which tests and tools find the sources of a package; its name is no other project's. */
const SOURCE = 'latchkey-source';

export function readManifest(packageName: string): PackageManifest {
  const folder = `packages/${packageName}`;
  const text = fs.readFileSync(path.join(REPOSITORY, folder, 'package.json'), 'utf8');
  const manifest = JSON.parse(text) as RawManifest;
  const exported = Object.entries(manifest.exports ?? {});
  return {
    name: manifest.name,
    entries: exported.flatMap(([, entry]) =>
      typeof entry === 'object' && entry[SOURCE] ? [path.posix.join(folder, entry[SOURCE])] : [],
    ),
    dependencies: Object.keys({
      ...manifest.dependencies,
      ...manifest.optionalDependencies,
      ...manifest.peerDependencies,
    }),
    bundled: Object.keys(manifest.devDependencies ?? {}).filter((each) => !manifest.peerDependencies?.[each]),
    specifiers: exported.map(([subpath]) => path.posix.join(manifest.name, subpath)),
  };
}

interface RawManifest {
  name: string;
  exports?: Record<string, string | { [SOURCE]?: string }>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}
