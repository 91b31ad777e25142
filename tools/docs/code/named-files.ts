import fs from 'node:fs';
import path from 'node:path';

/** A path of the repository, recognized by its first folder. */
const OURS =
  /^(?:\.\/)?((?:packages|docs|examples|tools|deploy|bench|migrations|\.ci|test\/(?:e2e|support|browser|races|faults|docs))\/[\w./-]*)$/;

/** Files that runs create and git ignores. */
const MADE = ['test/browser/screenshots/', 'deploy/secrets/'];

/** Says that a word names a file of the repository which is not there. What a build makes counts by its source. */
export function namedFileFault(root: string, word: string): string | undefined {
  const file = OURS.exec(word)?.[1];
  if (file === undefined || MADE.includes(file)) return undefined;
  const source = file.replace('/dist/', '/src/').replace(/(\/src\/.*)\.js$/, '$1.ts');
  return [file, source].some((one) => fs.existsSync(path.join(root, one)))
    ? undefined
    : `there is no file ${file}`;
}
