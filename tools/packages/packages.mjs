import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../shared/repository-files.mjs';

/** In the order in which one needs the other. */
export const NAMES = [
  'core',
  'http',
  'pages',
  'express-adapter',
  'testing',
  'operations',
  'server',
  'cli',
  'verifier',
  'client',
];

export const folderOf = (name) => path.join(root, 'packages', name);

export const manifestOf = (folder) => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));

/** Packs a package as it would be published. @returns the tarball's path and the files in it. */
export function pack(name, destination) {
  const output = execFileSync('npm', ['pack', '--json', '--pack-destination', destination], {
    cwd: folderOf(name),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ filename, files }] = JSON.parse(output);
  return { name, tarball: path.join(destination, filename), files: files.map((file) => file.path) };
}
