import fs from 'node:fs';
import path from 'node:path';
import { root } from './repository-files.mjs';

/** Returns the `node_modules` of workspaces, from the root: packages that only one of them finds, for example in another version. */
export function workspaceModules(): string[] {
  const packages = fs.readdirSync(path.join(root, 'packages')).map((name) => `packages/${name}`);
  return [...packages, 'tools']
    .map((workspace) => `${workspace}/node_modules`)
    .filter((modules) => fs.existsSync(path.join(root, modules)));
}
