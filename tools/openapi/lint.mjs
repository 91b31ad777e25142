// Reads docs/openapi.json as adopters do: `npm run openapi:lint`. Two linters must find nothing, and a client with generated
// types must compile. The tools are heavy, so they are no dependencies of the repository and are installed on first use.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { installFolder } from '../shared/installed-folder.mjs';
import { root } from '../shared/repository-files.mjs';

const FOLDER = 'tools/openapi';
const folder = path.join(root, FOLDER);
const document = path.join(root, 'docs/openapi.json');
const environment = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

function run(command, args) {
  const options = { cwd: folder, env: environment, stdio: 'inherit' };
  const { status, error } = spawnSync(command, args, options);
  if (error) console.log(`${command} could not be started: ${error.message}`);
  return status === 0;
}

const tool = (name) => path.join(folder, 'node_modules/.bin', name);

const steps = [
  ['spectral', ['lint', document, '--ruleset', '.spectral.yaml', '--fail-severity', 'hint']],
  ['redocly', ['lint', document, '--config', 'redocly.yaml']],
  ['openapi-typescript', [document, '--output', 'dist/api.d.ts']],
  ['tsc', ['--project', 'tsconfig.json']],
];

installFolder(FOLDER, 'the linters');
const failed = steps.filter(([name, args]) => !run(tool(name), args)).map(([name]) => name);
console.log(
  failed.length === 0 ? 'docs/openapi.json: nothing to object to.' : `Failed: ${failed.join(', ')}`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
