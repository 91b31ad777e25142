import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { OpenAPI3 } from 'openapi-typescript';
import { root } from '../../shared/repository-files.mjs';
import { interfaceOfPeople } from './interface-of-people.js';

const DOCUMENT = path.join(root, 'docs/openapi.json');
const TYPES = path.join(root, 'packages/client/src/generated/openapi.ts');

/** Files other than the document that decide what is generated: the version of the generator, and the code here. */
const CAUSES = [
  'tools/package.json',
  'tools/build/client-types/client-types.ts',
  'tools/build/client-types/interface-of-people.ts',
];

/**
 * Writes the types of every route that a person's client can call, which `@latchkey/client` is compiled with, unless they
 * are those of the document already. What only runs the client does not need them.
 * @returns whether the file was written
 */
export async function buildClientTypes(document = DOCUMENT, types = TYPES): Promise<boolean> {
  const text = fs.readFileSync(document, 'utf8');
  const heading = `// Generated from docs/openapi.json by \`npm run client-types\`, and not committed. ${digestOf(text)}\n`;
  if (fs.existsSync(types) && fs.readFileSync(types, 'utf8').startsWith(heading)) return false;
  replaceFile(types, heading + (await typesOf(text)));
  return true;
}

function digestOf(document: string): string {
  const hash = createHash('sha256').update(document);
  for (const file of CAUSES) hash.update(fs.readFileSync(path.join(root, file)));
  return hash.digest('hex');
}

/** Renames the file into its place, because others may compile or write it at the same time. */
function replaceFile(file: string, text: string): void {
  const unfinished = `${file}.${process.pid}`;
  fs.writeFileSync(unfinished, text);
  fs.renameSync(unfinished, file);
}

async function typesOf(document: string): Promise<string> {
  // It loads a compiler, which takes longer than to find that there is nothing to do.
  const { default: openapiTypes, astToString } = await import('openapi-typescript');
  const used = withoutUnused(interfaceOfPeople(document)) as OpenAPI3;
  return astToString(await openapiTypes(used));
}

type Json = Record<string, unknown>;

/** Examples and response headers have no types; errors have one form, and the client adds the header of cookie mode. */
const UNUSED = new Set(['example', 'examples', 'application/problem+json']);

function withoutUnused(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) {
    const kept = key === 'parameters' ? value.filter(({ name }: Json) => name !== 'x-auth-mode') : value;
    return kept.map((each) => withoutUnused(each));
  }
  if (typeof value !== 'object' || value === null) return value;
  const isResponse = 'content' in value && 'headers' in value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !UNUSED.has(name) && !(isResponse && name === 'headers'))
      .map(([name, each]) => [name, withoutUnused(each, name)]),
  );
}
