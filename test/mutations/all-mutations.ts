import fs from 'node:fs/promises';
import type { Mutation } from './mutation.js';

const FOLDER = new URL('./', import.meta.url);

/** Returns what every `*.mutations.ts` of this folder exports, in the order of their names. */
export async function allMutations(): Promise<Mutation[]> {
  const files = (await fs.readdir(FOLDER)).filter((name) => name.endsWith('.mutations.ts')).sort();
  const modules = await Promise.all(
    files.map((name) => import(new URL(name, FOLDER).href) as Promise<Record<string, readonly Mutation[]>>),
  );
  return modules.flatMap((module) => Object.values(module).flat());
}
