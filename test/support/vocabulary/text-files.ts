import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));

/** Folders and files that people read. */
const ROOTS = ['packages', 'test', 'bench', 'tools', 'examples', 'docs', 'deploy', 'site'];
const PAGES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'compose.yaml', 'Dockerfile'];
const IS_TEXT = /\.(ts|mts|js|mjs|md|yaml|sql|css)$/;
const IS_FOREIGN = /(^|\/)(node_modules|dist|\.next|\.latchkey)\/|^site\/(generated|\.vitepress\/cache)\//;

/** One file of the repository, as text. */
export interface TextFile {
  /** From the repository's root, with slashes. */
  path: string;
  text: string;
}

/** Returns every file of the repository whose words are ours. */
export function readTextFiles(): TextFile[] {
  return [...ROOTS.flatMap(filesUnder), ...PAGES].map((file) => ({
    path: file,
    text: fs.readFileSync(path.join(REPOSITORY, file), 'utf8'),
  }));
}

const filesUnder = (folder: string): string[] =>
  fs
    .readdirSync(path.join(REPOSITORY, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => path.posix.join(folder, file.split(path.sep).join('/')))
    .filter((file) => IS_TEXT.test(file) && !IS_FOREIGN.test(file));
