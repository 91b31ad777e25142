// Prepares and checks what a release publishes: node tools/packages/release.mjs --check | --write
//
// --write copies the address of the repository from the manifest of the root into those of the packages. --check names what keeps the
// packages from being published. Neither publishes anything.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../shared/repository-files.mjs';
import { folderOf, manifestOf, NAMES } from './packages.mjs';
import { releaseFaults, repositoryFields } from './release-metadata.mjs';

const own = manifestOf(root);

if (process.argv[2] === '--write') {
  if (own.repository?.url === undefined) throw new Error('package.json: repository is not set');
  for (const name of NAMES) {
    const manifest = { ...manifestOf(folderOf(name)), ...repositoryFields(own, `packages/${name}`) };
    writeFileSync(path.join(folderOf(name), 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  }
} else {
  const manifests = NAMES.map((name) => ({ ...manifestOf(folderOf(name)), folder: `packages/${name}` }));
  const faults = releaseFaults(own, manifests, readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8'));
  for (const fault of faults) console.log(fault);
  console.log(faults.length === 0 ? `${own.version} can be published.` : `${faults.length} faults.`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
