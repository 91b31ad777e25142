import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ts } from '../../tools/compiler/typescript.js';

/** A test as the page names it: its file, from the root of the repository, and its title below those of its groups. */
export interface NamedTest {
  file: string;
  /** Groups and title, joined by ` › `, with `%s` and the like as they are written. */
  title: string;
}

/** A promise of docs/threat-model.md with all tests that prove it. */
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
  /^## Promises\n([\s\S]*?)^## /m.exec(page)?.[1] ?? '';

/**
 * Reads the lists: `- promise`, and below it `  - [name](path): title` for each test.
 * @throws Error for any other line of a section, and for a test without a promise.
 */
export function promisesOf(page: string): ThreatModelPromise[] {
  const promises: ThreatModelPromise[] = [];
  for (const part of promisesSection(page).split(/^### /m).slice(1)) {
    const [section = '', ...lines] = part.split('\n').filter((line) => line !== '');
    const own: ThreatModelPromise[] = [];
    for (const line of lines) {
      const [, indent, text = ''] = /^( {2})?- (.+)$/.exec(line.replaceAll(/\\(.)/g, '$1')) ?? [];
      if (text === '') throw new Error(`is neither a promise nor a test: ${line}`);
      if (indent === undefined) own.push({ section, promise: text, tests: [] });
      else testsOfLast(own, line).push(testNamedBy(text));
    }
    promises.push(...own);
  }
  return promises;
}

function testsOfLast(promises: readonly ThreatModelPromise[], line: string): NamedTest[] {
  const last = promises.at(-1);
  if (!last) throw new Error(`belongs to no promise: ${line}`);
  return last.tests;
}

function testNamedBy(item: string): NamedTest {
  const [, target, title] = /^\[[^\]]+\]\(([^)]+)\): (.+)$/.exec(item) ?? [];
  if (target === undefined || title === undefined) throw new Error(`names no test: ${item}`);
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
