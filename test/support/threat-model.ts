import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** A test as the page names it: its file, from the root of the repository, and its title below those of its groups. */
export interface NamedTest {
  file: string;
  /** Groups and title, joined by ` › `, with `%s` and the like as they are written. */
  title: string;
}

/** A row of the tables of docs/threat-model.md with all tests that prove it. */
export interface ThreatModelPromise {
  /** Heading of the section, such as "Tokens". */
  section: string;
  promise: string;
  tests: NamedTest[];
}

export const repositoryRoot = fileURLToPath(new URL('../../', import.meta.url));
const FOLDER = path.join(repositoryRoot, 'docs');

/** Returns the text of the page. */
export const threatModelPage = (): string => fs.readFileSync(path.join(FOLDER, 'threat-model.md'), 'utf8');

/** Returns the part of the page that makes the promises. */
export const promisesSection = (page: string): string =>
  /^## The promises\n([\s\S]*?)^## /m.exec(page)?.[1] ?? '';

/**
 * Reads the tables: `| promise | [name](path): title |`. A row without a promise belongs to the one above.
 * @throws Error for a cell that names no test.
 */
export function promisesOf(page: string): ThreatModelPromise[] {
  const promises: ThreatModelPromise[] = [];
  for (const part of promisesSection(page).split(/^### /m).slice(1)) {
    const name = part.slice(0, part.indexOf('\n'));
    for (const [, promise = '', cell = ''] of part.matchAll(/^\| (?!promise |-)(.*?) *\| *(.*?) *\|$/gm)) {
      if (promise !== '') promises.push({ section: name, promise, tests: [] });
      promises.at(-1)?.tests.push(testNamedBy(cell.replaceAll(/\\(.)/g, '$1')));
    }
  }
  return promises;
}

function testNamedBy(cell: string): NamedTest {
  const [, target, title] = /^\[[^\]]+\]\(([^)]+)\): (.+)$/.exec(cell) ?? [];
  if (target === undefined || title === undefined) throw new Error(`names no test: ${cell}`);
  return { file: path.relative(repositoryRoot, path.resolve(FOLDER, target)), title };
}

/** Returns the titles of the tests in a file as they are written, each below those of its groups. */
export function titlesIn(file: string): string[] {
  const text = fs.readFileSync(path.join(repositoryRoot, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
  const titles: string[] = [];
  const visit = (node: ts.Node, groups: readonly string[]): void => {
    const title = ts.isCallExpression(node) ? node.arguments.find(ts.isStringLiteralLike) : undefined;
    if (!ts.isCallExpression(node) || !title || node.arguments.indexOf(title) > 1) {
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
