import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const docs = fileURLToPath(new URL('../../docs/', import.meta.url));
const page = fs.readFileSync(path.join(docs, 'threat-model.md'), 'utf8');

/** The titles of the tests in a file as they are written, `%s` and all, each below those of its groups. */
function titlesIn(file: string): string[] {
  const source = ts.createSourceFile(file, fs.readFileSync(file, 'utf8'), ts.ScriptTarget.ES2023, true);
  const titles: string[] = [];
  const visit = (node: ts.Node, groups: readonly string[]): void => {
    const [title] = ts.isCallExpression(node) ? node.arguments : [];
    if (!ts.isCallExpression(node) || !title || !ts.isStringLiteralLike(title)) {
      ts.forEachChild(node, (child) => visit(child, groups));
      return;
    }
    const name = /^\w*/.exec(node.expression.getText(source))?.[0] ?? '';
    const isGroup = name.startsWith('describe');
    if (name === 'it' || name === 'test') titles.push([...groups, title.text].join(' › '));
    ts.forEachChild(node, (child) => visit(child, isGroup ? [...groups, title.text] : groups));
  };
  visit(source, []);
  return titles;
}

/** The rows of the tables: `| promise | [file](path): title |`; a row without a promise belongs to the one above. */
const section = /^## The promises\n([\s\S]*?)^## /m.exec(page)?.[1] ?? '';
const rows = [...section.matchAll(/^\| (?!promise |-)(.*?) *\| *(.*?) *\|$/gm)].map(([, promise, cell]) => ({
  promise: promise!,
  cell: cell!.replaceAll(/\\(.)/g, '$1'),
}));

it('the page makes promises', () => {
  expect(rows.filter(({ promise }) => promise !== '').length).toBeGreaterThan(60);
});

it('each begins a table or follows another', () => {
  expect(section.match(/^\| promise/gm)?.length).toBeGreaterThan(7);
  expect(section).not.toMatch(/^\| -+ *\| -+ *\|\n\| +\|/m);
});

describe('the test that proves it is there', () => {
  it.each(rows)('$cell', ({ cell }) => {
    const [, target = '', title = ''] = /^\[[^\]]+\]\(([^)]+)\): (.+)$/.exec(cell) ?? [];
    expect(titlesIn(path.resolve(docs, target))).toContain(title);
  });
});
