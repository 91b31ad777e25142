import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ts } from '../tools/compiler/typescript.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const FOLDERS = ['packages/pages/src/browser', 'examples/embed-in-express/public'];

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(path.join(root, folder))
    .filter((name) => /\.(ts|js)$/.test(name))
    .map((name) => `${folder}/${name}`),
);

/** Fields of an error that hold text for users. */
const TEXTS = new Set(['message', 'detail', 'title']);
/** Methods that read a text; `includes` and `has` also when the text is the argument. */
const LOOKS = new Set([
  ...[
    'includes',
    'startsWith',
    'endsWith',
    'indexOf',
    'search',
    'match',
    'matchAll',
    'split',
    'localeCompare',
  ],
  ...['test', 'exec', 'has', 'get'],
]);
const COMPARES = new Set([
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
]);

function isText(node: ts.Node): boolean {
  if (ts.isIdentifier(node)) return TEXTS.has(node.text);
  return ts.isPropertyAccessExpression(node) && TEXTS.has(node.name.text);
}

/** Returns the expressions that decide by the text of an error. */
function decisionsByText(source: string, fileName = 'page.ts'): string[] {
  const file = ts.createSourceFile(fileName, source, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (decides(node)) found.push(node.getText(file));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function decides(node: ts.Node): boolean {
  if (ts.isSwitchStatement(node)) return isText(node.expression);
  if (ts.isElementAccessExpression(node)) return isText(node.argumentExpression);
  if (ts.isBinaryExpression(node)) {
    return COMPARES.has(node.operatorToken.kind) && [node.left, node.right].some(isText);
  }
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const { name, expression } = node.expression;
  return LOOKS.has(name.text) && [expression, ...node.arguments].some(isText);
}

describe('programs in the browser decide by code and reason', () => {
  it.each(sources)('%s never decides by the text of an error', (source) => {
    expect(decisionsByText(readFileSync(path.join(root, source), 'utf8'), source)).toEqual([]);
  });

  it.each([
    "if (failure.message.includes('expired')) show('expired');",
    "if (message === 'Taken.') show('taken');",
    "const taken = 'Taken.' !== problem.detail;",
    'const parts = message.split("; ");',
    '/^token:/.test(result.message);',
    'switch (problem.title) { default: }',
    'const text = TEXTS[failure.message];',
    'const known = TEXTS.has(message);',
  ])('a decision by text is found: %s', (source) => {
    expect(decisionsByText(source)).toHaveLength(1);
  });
});
