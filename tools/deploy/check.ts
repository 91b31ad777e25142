// Checks what the service is deployed with, without a container engine or a cluster: `npm run deploy:check`.
//
// The Dockerfile as a builder would read it, compose.yaml and the manifests against their schemas, and all of them
// against what the service knows: settings, ports, secrets, versions.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { readText, repositoryFiles, root } from '../shared/repository-files.mjs';
import { faultsOfCompose } from './rules/compose-rules.js';
import { faultsOfDockerIgnore } from './rules/context-rules.js';
import { faultsOfDockerfile } from './rules/dockerfile-rules.js';
import { faultsOfFields } from './rules/kubernetes-fields.js';
import { faultsOfObjects } from './rules/kubernetes-rules.js';
import { faultsOfKustomization } from './rules/kustomization-rules.js';
import { readYaml, type YamlMap } from './rules/yaml-documents.js';

const MANIFESTS = 'deploy/kubernetes';
const KUSTOMIZATION = 'kustomization.yaml';

const { version } = JSON.parse(readText('package.json')) as { version: string };
const image = `latchkey:${version}`;

/** The files that `compose-secrets.sh` makes. */
const madeSecrets = (): string[] =>
  [...readText('deploy/compose-secrets.sh').matchAll(/\| keep (\S+)$/gm)].map(([, name = '']) => name);

function faultsOfManifests(): string[] {
  const files = repositoryFiles()
    .filter((file) => path.posix.dirname(file) === MANIFESTS && file.endsWith('.yaml'))
    .map((file) => path.posix.basename(file));
  const objects: YamlMap[] = [];
  const faults: string[] = [];
  for (const file of files) {
    const read = readYaml(readText(`${MANIFESTS}/${file}`));
    faults.push(...read.faults.map((fault) => `${file}: ${fault}`));
    if (file === KUSTOMIZATION) {
      const [kustomization = {}] = read.documents;
      faults.push(...faultsOfKustomization(kustomization, files, version));
      continue;
    }
    objects.push(...read.documents);
  }
  return [...faults, ...faultsOfFields(objects, root), ...faultsOfObjects(objects, image)];
}

/** kubectl builds without a cluster; where it is missing, the rules above must do. */
function faultsOfKustomize(): string[] {
  if (spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore' }).status !== 0) return [];
  const built = spawnSync('kubectl', ['kustomize', path.join(root, MANIFESTS)], { encoding: 'utf8' });
  return built.status === 0 ? [] : [built.stderr.trim()];
}

/** Of the others, only that they can be read: what is in them is held against a running service elsewhere. */
const faultsOfOtherYaml = (): string[] =>
  repositoryFiles()
    .filter(
      (file) => /\.ya?ml$/.test(file) && file !== 'compose.yaml' && path.posix.dirname(file) !== MANIFESTS,
    )
    .flatMap((file) => readYaml(readText(file)).faults.map((fault) => `${file}: ${fault}`));

const checks: [what: string, faults: readonly string[]][] = [
  ['Dockerfile', faultsOfDockerfile(readText('Dockerfile'))],
  [
    'Dockerfile',
    readText('Dockerfile').includes(`ARG VERSION=${version}`) ? [] : [`VERSION is not ${version}`],
  ],
  ['.dockerignore', faultsOfDockerIgnore(readText('.dockerignore'))],
  ['compose.yaml', faultsOfCompose(readText('compose.yaml'), { image, madeSecrets: madeSecrets() })],
  [MANIFESTS, faultsOfManifests()],
  [MANIFESTS, faultsOfKustomize()],
  ['YAML', faultsOfOtherYaml()],
];

const faults = checks.flatMap(([what, found]) => found.map((fault) => `${what}: ${fault}`));
for (const fault of faults) console.log(fault);
console.log(`Dockerfile, compose.yaml and manifests checked, ${faults.length} faults.`);
process.exitCode = faults.length === 0 ? 0 : 1;
