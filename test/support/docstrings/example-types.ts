import { ts } from '../../../tools/compiler/typescript.js';
import { compilerHost, compilerOptions, entries, ROOT, type PublicExport } from './public-export.js';

/**
 * What examples may take as given: an `auth` as `createAuth` makes it, the test kit it belongs to, and an Express app.
 * Whatever the entries offer need not be imported.
 */
const GIVEN = `
  declare const kit: import('@latchkey/testing').TestAuth;
  declare const auth: import('@latchkey/core').Auth;
  declare const app: import('express').Express;
`;

/** The faults that the compiler finds in all examples, each with the place of its docstring. */
export function typeFaults(exports: readonly PublicExport[]): string[] {
  const offered = offeredBy(exports);
  const files = new Map<string, { text: string; place: string }>();
  for (const { name, place, examples, entry } of exports) {
    const own = new Map(exports.filter((each) => each.entry === entry).map((each) => [each.name, each]));
    for (const [index, code] of examples.entries()) {
      const path = `${ROOT}test/docstring-example-${files.size}-${name}-${index}.ts`;
      files.set(path, { text: programOf(code, new Map([...offered, ...own])), place: `${name} (${place})` });
    }
  }
  return diagnose(files);
}

/** The entry that each name is to be taken from. */
function offeredBy(exports: readonly PublicExport[]): Map<string, PublicExport> {
  const order = entries.map(({ name }) => name);
  const sorted = [...exports].sort((a, b) => order.indexOf(b.entry) - order.indexOf(a.entry));
  return new Map(sorted.map((each) => [each.name, each]));
}

function programOf(code: string, offered: Map<string, PublicExport>): string {
  const declared = declaredIn(code);
  const used = [...new Set(code.match(/\b[A-Za-z_]\w*\b/g) ?? [])].filter((name) => !declared.has(name));
  const imports = used.flatMap((name) => {
    const { entry, isValue } = offered.get(name) ?? {};
    if (entry === undefined) return [];
    return [`import { ${isValue === true ? '' : 'type '}${name} } from '${entry}';`];
  });
  return `${imports.join('\n')}\n${GIVEN}\n${code}\nexport {};\n`;
}

/** Names that an example imports or declares itself, so that they are not taken from an entry. */
function declaredIn(code: string): Set<string> {
  const single = [...code.matchAll(/(?:const|let|function|class|type|interface)\s+(\w+)/g)];
  const several = [...code.matchAll(/import[^;]*?\{([^}]*)\}|(?:const|let)\s+\{([^}]*)\}\s*=/g)];
  const lists = several.flatMap(([, imported, destructured]) => (imported ?? destructured ?? '').split(','));
  const names = lists.map((each) => each.split(':').at(-1)?.trim() ?? '');
  return new Set([...single.map(([, name = '']) => name), ...names]);
}

function diagnose(files: Map<string, { text: string; place: string }>): string[] {
  const options: ts.CompilerOptions = {
    ...compilerOptions(),
    noEmit: true,
    noUnusedLocals: false,
    noUnusedParameters: false,
  };
  const host = compilerHost(options);
  const onDisk = { ...host };
  host.fileExists = (path) => files.has(path) || onDisk.fileExists(path);
  host.getSourceFile = (path, ...rest) => {
    const example = files.get(path);
    return example
      ? ts.createSourceFile(path, example.text, ts.ScriptTarget.ES2023, true)
      : onDisk.getSourceFile(path, ...rest);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files].flatMap(([path, { place }]) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(path))
      .map((fault) => `${place}: ${ts.flattenDiagnosticMessageText(fault.messageText, ' ')}`),
  );
}
