import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const TESTS = fileURLToPath(new URL('..', import.meta.url));
const RELATIVE_IMPORT = /\bfrom '(\.[^']+)'/g;
const PROGRAMS = fileURLToPath(new URL('programs.ts', import.meta.url));

/** Reports whether a test file starts bundled programs: whether it imports `programs.ts`, itself or through helpers. */
export function reachesPrograms(testFile: string): boolean {
  const reached = new Set([testFile]);
  for (const file of reached) for (const imported of helpersOf(file)) reached.add(imported);
  return reached.has(PROGRAMS);
}

/** Only helpers of tests start programs: what else a file imports needs no look. */
function helpersOf(file: string): string[] {
  return [...fs.readFileSync(file, 'utf8').matchAll(RELATIVE_IMPORT)]
    .map(([, specifier = '']) => path.resolve(path.dirname(file), specifier.replace(/\.js$/, '.ts')))
    .filter((imported) => imported.startsWith(TESTS) && fs.existsSync(imported));
}
