import path from 'node:path';
import { ts } from '../../compiler/typescript.js';
import type { Fault } from './fault.js';
import type { CodeBlock } from './page.js';

/** The file extension under which a block is compiled, by the word after its fence. */
const EXTENSIONS: Readonly<Record<string, string>> = { ts: '.ts', js: '.js', cjs: '.cjs' };

/** Names that pages may use without declaring them. */
const WELL_KNOWN: Readonly<Record<string, string>> = {
  auth: `import('@latchkey/core').Auth`,
  settings: `import('@latchkey/core').Settings`,
  logger: `import('@latchkey/core').Logger`,
  app: `import('express').Express`,
  router: `import('express').Router`,
  request: `import('express').Request`,
  response: `import('express').Response`,
  guards: `import('@latchkey/express-adapter').Guards`,
  kit: `Awaited<ReturnType<typeof import('@latchkey/testing').createTestAuth>>`,
};

/** A page whose files are run with the packages they import, which are not those of the repository: `npm run hosts:try`. */
const RUN_ELSEWHERE = 'docs/hosts.md';

/** Types that a JavaScript file has no way to write without clutter: not asked of samples. */
const IMPLICIT_ANY = new Set([7005, 7006, 7010, 7011, 7018, 7019, 7023, 7024, 7031, 7034, 7053]);

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts', 'lib.es2024.string.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  moduleDetection: ts.ModuleDetectionKind.Force,
  customConditions: ['latchkey-source'],
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  resolveJsonModule: true,
  skipLibCheck: true,
  allowJs: true,
  checkJs: true,
  noEmit: true,
};

/**
 * Type-checks the `ts`, `js` and `cjs` blocks of all pages in one program, against the sources of the packages.
 *
 * Each block is a module of its own beside its page. `<!-- code: continues -->` joins a block to the one before it of
 * the same language; `<!-- code: given auth, token: string -->` declares what the text around it takes as given.
 */
export function scriptFaults(root: string, blocks: readonly CodeBlock[]): Fault[] {
  const modules = new Map(modulesOf(blocks).map((module) => [path.join(root, module.path), module]));
  if (modules.size === 0) return [];
  const program = ts.createProgram([...modules.keys()], OPTIONS, hostWith(modules));
  return [...modules].flatMap(([path_, { file, faults }]) => {
    const source = program.getSourceFile(path_);
    if (source === undefined) return faults;
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    const reported = found.filter(({ code }) => path_.endsWith('.ts') || !IMPLICIT_ANY.has(code));
    return [...faults, ...reported.map((diagnostic) => faultOf(file, diagnostic))];
  });
}

interface Module {
  /** The path that the block is compiled under, so that relative imports and packages are found from there. */
  path: string;
  file: string;
  text: string;
  faults: Fault[];
}

function modulesOf(blocks: readonly CodeBlock[]): Module[] {
  const modules: Module[] = [];
  for (const block of blocks) {
    const extension = EXTENSIONS[block.language];
    if (extension === undefined || block.file === RUN_ELSEWHERE) continue;
    const { continues, given, faults } = readNote(block, extension);
    const former = continues
      ? modules.findLast(({ file, path: at }) => file === block.file && at.endsWith(extension))
      : undefined;
    if (former) {
      former.text = placed(former.text + given, block);
      former.faults.push(...faults);
    } else {
      const at = `${block.file}.${block.line}${extension}`;
      modules.push({ path: at, file: block.file, text: placed(given, block), faults });
    }
  }
  return modules;
}

/** The code on the very lines it has on its page, so that the compiler's lines are the page's. */
const placed = (before: string, { line, code }: CodeBlock): string =>
  before + '\n'.repeat(Math.max(1, line - before.split('\n').length)) + code;

interface ReadNote {
  continues: boolean;
  /** Declarations, in one line. */
  given: string;
  faults: Fault[];
}

function readNote({ file, line, note }: CodeBlock, extension: string): ReadNote {
  const result: ReadNote = { continues: false, given: '', faults: [] };
  for (const part of note?.split(';') ?? []) {
    const [word, ...rest] = part.trim().split(' ');
    if (word === 'continues' && rest.length === 0) result.continues = true;
    else if (word === 'given' && rest.length > 0) result.given += declarations(rest.join(' '), extension);
    else result.faults.push({ file, line, message: `<!-- code: ${note ?? ''} --> is not understood` });
  }
  return result;
}

function declarations(names: string, extension: string): string {
  return names
    .split(/,\s*(?=\w+\s*(?::|,|$))/)
    .map((entry) => {
      const [, name = '', type] = /^(\w+)(?::\s*(.*))?$/.exec(entry.trim()) ?? [];
      const known = type ?? WELL_KNOWN[name] ?? 'never';
      if (extension === '.ts') return `declare const ${name}: ${known};`;
      return `const ${name} = /** @type {${known}} */ (/** @type {unknown} */ (undefined));`;
    })
    .join(' ');
}

function hostWith(modules: ReadonlyMap<string, Module>): ts.CompilerHost {
  const host = ts.createCompilerHost(OPTIONS, true);
  const disk = ts.createCompilerHost(OPTIONS, true);
  host.fileExists = (name) => modules.has(name) || disk.fileExists(name);
  host.readFile = (name) => modules.get(name)?.text ?? disk.readFile(name);
  host.getSourceFile = (name, language, ...rest) => {
    const module = modules.get(name);
    if (module === undefined) return disk.getSourceFile(name, language, ...rest);
    return ts.createSourceFile(name, module.text, language, true);
  };
  return host;
}

function faultOf(file: string, { file: source, start = 0, messageText, code }: ts.Diagnostic): Fault {
  const line = (source?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
  return { file, line, message: `TS${code}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}` };
}
