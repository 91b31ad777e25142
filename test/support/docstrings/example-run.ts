import { ts } from '../../../tools/compiler/typescript.js';

/** The names that an example may use, by value. */
export type Scope = Record<string, unknown>;

/** An arrow in a comment behind a statement says what the expression gives: `canonicalEmail('A@B.example'); // → 'a@b.example'` */
const EXPECTATION = /^(?<indent>\s*)(?<expression>\S.*?);?\s*\/\/ → (?<expected>.*)$/;

/** An arrow with an exclamation mark says what it throws: `parse('x'); // →! /must be/` */
const REFUSAL = /^(?<indent>\s*)(?<expression>\S.*?);?\s*\/\/ →! (?<expected>.*)$/;

const AsyncFunction = Object.getPrototypeOf(async () => Promise.resolve()) as {
  constructor: new (...parts: string[]) => (...values: unknown[]) => Promise<void>;
};

/** Runs the code of an example, its arrows as assertions. */
export async function runExample(code: string, given: Scope): Promise<void> {
  const scope = { ...given, ...(await importedFromNode(code)) };
  const javascript = ts.transpileModule(withoutImports(withAssertions(code)), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  }).outputText;
  // `export {}` and exported names mean nothing inside a function.
  const body = javascript.replace(/^export \{.*\};?$/gm, '').replace(/^export /gm, '');
  const names = Object.keys(scope).filter((name) => /^[A-Za-z_]\w*$/.test(name) && name !== 'default');
  // In a block, an example may declare a name that another entry exports too.
  await new AsyncFunction.constructor(...names, `{${body}\n}`)(...names.map((name) => scope[name]));
}

/** Imports an example makes from Node; everything else that it imports is given. */
async function importedFromNode(code: string): Promise<Scope> {
  const scope: Scope = {};
  for (const [, names = '', module = ''] of code.matchAll(/^import \{([^}]*)\} from '(node:[^']+)';$/gm)) {
    const found = (await import(module)) as Scope;
    for (const name of names.split(',').map((each) => each.trim())) scope[name] = found[name];
  }
  return scope;
}

const withoutImports = (code: string): string => code.replace(/^import [\s\S]*?;$/gm, '');

function withAssertions(code: string): string {
  return code.split('\n').map(assertionOf).join('\n');
}

function assertionOf(line: string): string {
  const refused = REFUSAL.exec(line)?.groups;
  if (refused) {
    const { expression = '', expected = '' } = refused;
    return `await expect((async () => { ${withoutAwait(expression)} })()).rejects.toThrow(${expected});`;
  }
  const given = EXPECTATION.exec(line)?.groups;
  if (!given) return line;
  const { expression = '', expected = '' } = given;
  const declared = /^(?:const|let) (?<name>\w+)/.exec(expression)?.groups?.name;
  return declared === undefined
    ? `expect(${expression}).toEqual(${expected});`
    : `${expression}; expect(${declared}).toEqual(${expected});`;
}

/** The promise itself is awaited around it. */
const withoutAwait = (expression: string): string => `return ${expression.replace(/^await /, '')}`;
