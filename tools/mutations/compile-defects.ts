import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Mutation } from '../../test/mutations/mutation.js';
import { ScratchCopy } from './scratch-copy.js';

/** A file of the program for Node; the projects for browsers have a defect or two each, and SQL has no compiler. */
const COMPILED = '.ts';

/** An error of the compiler in a file that `writeVariants` has written. */
const IN_VARIANT = /\.defect(\d+)\.ts\((.+)$/;

/** A defect may leave something unused. */
const TSC = ['-p', 'tsconfig.json', '--noEmit', '--noUnusedLocals', 'false', '--noUnusedParameters', 'false'];

/**
 * Compiles all defects at once, each in a copy of its file beside it, and returns what is wrong with them, one line each.
 * Any test notices a defect that throws because a name has gone: that shows nothing of its promise.
 */
export function compileDefects(mutations: readonly Mutation[]): string[] {
  const copy = new ScratchCopy();
  try {
    writeVariants(copy.folder, mutations);
    const tsc = path.join(copy.folder, 'node_modules/.bin/tsc');
    const { stdout, error } = spawnSync(tsc, TSC, {
      cwd: copy.folder,
      encoding: 'utf8',
      maxBuffer: 1024 ** 3,
    });
    if (error) throw error;
    return stdout.split('\n').flatMap((line) => {
      const [, index, fault] = IN_VARIANT.exec(line) ?? [];
      const { defect, file } = mutations[Number(index)] ?? {};
      return defect === undefined ? [] : [`${defect} (${file}): (${fault}`];
    });
  } finally {
    copy.remove();
  }
}

function writeVariants(folder: string, mutations: readonly Mutation[]): void {
  for (const [index, { file, from, to }] of mutations.entries()) {
    if (!file.endsWith(COMPILED)) continue;
    const source = path.join(folder, file);
    const changed = fs.readFileSync(source, 'utf8').replace(from, () => to);
    fs.writeFileSync(`${source.slice(0, -COMPILED.length)}.defect${index}.ts`, changed);
  }
}
