// Signs users in by a foreign OpenID provider that runs as a process of its own: `npm run proof:external`.
import { spawnSync } from 'node:child_process';
import { directVersions, installFolder } from '../shared/installed-folder.mjs';
import { root } from '../shared/repository-files.mjs';

const FOLDER = 'test/external-provider';

installFolder(FOLDER, 'the OpenID provider, about 10 MB,');
console.log(`oidc-provider ${directVersions(FOLDER)['oidc-provider']}`);
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/proof.config.ts', FOLDER],
  { cwd: root, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
