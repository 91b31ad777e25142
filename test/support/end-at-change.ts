import fs from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/*
 * Loaded before a program (`--import`), it sends the program the signal END_BY right before the END_AT-th change it makes
 * to files: before it opens one for writing, writes, renames, removes or links.
 */
const { END_AT, END_BY = 'SIGKILL' } = process.env;
let left = Number(END_AT);

function beforeChange(): void {
  left -= 1;
  if (left === 0) process.kill(process.pid, END_BY);
}

type Call = (...args: never[]) => unknown;

function counted<Work extends Call>(work: Work): Work {
  return ((...args: never[]) => {
    beforeChange();
    return work(...args);
  }) as Work;
}

const { promises } = fs;
for (const name of ['rename', 'rm', 'symlink', 'writeFile'] as const) {
  Object.assign(promises, { [name]: counted(promises[name] as Call) });
}

const { open } = promises;
promises.open = async (path, flags, mode): Promise<FileHandle> => {
  if (flags === undefined || flags === 'r') return open(path, flags, mode);
  beforeChange();
  const file = await open(path, flags, mode);
  file.writeFile = counted(file.writeFile.bind(file));
  return file;
};
syncBuiltinESMExports();
