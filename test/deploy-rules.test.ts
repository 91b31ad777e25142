import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { faultsOfCompose } from '../tools/deploy/rules/compose-rules.js';
import { faultsOfDockerIgnore } from '../tools/deploy/rules/context-rules.js';
import { faultsOfDockerfile } from '../tools/deploy/rules/dockerfile-rules.js';
import { faultsOfFields } from '../tools/deploy/rules/kubernetes-fields.js';
import { faultsOfObjects } from '../tools/deploy/rules/kubernetes-rules.js';
import { readYaml } from '../tools/deploy/rules/yaml-documents.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => fs.readFileSync(`${root}${file}`, 'utf8');

/** Returns a text with one part changed. @throws Error when it does not contain that part. */
function changed(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`there is no ${from}`);
  return text.replace(from, to);
}

type Change = [what: string, from: string, to: string, fault: string];

describe('refused Dockerfiles', () => {
  const changes: Change[] = [
    [
      'whose base has no version',
      'node:24-trixie-slim',
      'node:latest',
      'the tag of node:latest names no version',
    ],
    ['that runs as root', 'USER 1000:1000', 'USER root', 'USER is root, not a number above 0'],
    ['that embeds a database', 'APP_ENV=production', 'APP_ENV=development', 'APP_ENV is not production'],
    ['with a variable that is no setting', 'PORT=3097', 'PROT=3097', 'PROT is no setting'],
    ['without a health check', 'HEALTHCHECK', '#', 'the last stage has no HEALTHCHECK'],
    ['that runs install scripts', 'ci --ignore-scripts', 'ci', 'RUN npm ci is not reproducible'],
    ['that a builder cannot read', 'STOPSIGNAL SIGTERM', 'STOPSINGAL SIGTERM', 'Unknown instruction'],
  ];
  it.each(changes)('a Dockerfile is refused %s', (_, from, to, fault) => {
    // Removes the second line of the health check with the first.
    const text = changed(read('Dockerfile'), from, to).replace(/^#.*\n {2}CMD.*\n/m, '');
    expect(faultsOfDockerfile(text).join('\n')).toContain(fault);
  });

  it('a Dockerfile is refused whose CMD is a shell line, which would keep signals from the process', () => {
    const text = read('Dockerfile').replace(/^CMD .*$/m, 'CMD node packages/server/dist/main.js');
    expect(faultsOfDockerfile(text)).toEqual(['CMD is not in exec form']);
  });
});

it('the Dockerfile and the .dockerignore of the repository are accepted', () => {
  expect(faultsOfDockerfile(read('Dockerfile'))).toEqual([]);
  expect(faultsOfDockerIgnore(read('.dockerignore'))).toEqual([]);
});

describe('refused .dockerignore files', () => {
  it('a .dockerignore is refused that lets keys of the checkout through', () => {
    const faults = faultsOfDockerIgnore(changed(read('.dockerignore'), '**/*.pem', ''));
    expect(faults).toEqual(['packages/core/signing-key.pem would reach the builder']);
  });

  it('a .dockerignore is refused that names what it keeps out, and not what it lets in', () => {
    const faults = faultsOfDockerIgnore(changed(read('.dockerignore'), '\n*\n', '\n'));
    expect(faults).toContain('deploy/secrets/database-url would reach the builder');
  });
});

describe('refused Compose files', () => {
  const madeSecrets = ['database-url', 'internal-api-key', 'postgres-password', 'signing-key.pem'];
  const faultsOf = (text: string) => faultsOfCompose(text, { image: 'latchkey:0.1.0', madeSecrets });
  const changes: Change[] = [
    [
      'with a key twice',
      'networks: [outside]',
      "user: '1'\n    networks: [outside]",
      'Map keys must be unique',
    ],
    [
      'with a field it does not know',
      'tmpfs: [/data]',
      'tmpsf: [/data]',
      'must NOT have additional properties',
    ],
    [
      'that publishes a port on all addresses',
      "'127.0.0.1:3097:3097'",
      "'3097:3097'",
      'is not bound to 127.0.0.1',
    ],
    ['with a setting that is misspelt', 'REDIS_URL:', 'REDIS_URI:', 'REDIS_URI is no setting'],
    [
      'with a value no setting takes',
      'redis://redis:6379',
      'http://redis',
      'REDIS_URL cannot be http://redis',
    ],
    [
      'with a secret that is never created',
      'secrets/database-url }',
      'secrets/url }',
      'nothing makes the secret file',
    ],
    [
      'that uses a secret it is not given',
      'secrets: [database-url, ',
      'secrets: [',
      'not given the secret database-url',
    ],
    [
      'that kills the service while it stops',
      'stop_grace_period: 30s',
      'stop_grace_period: 20s',
      'a stop takes up to 22 s and is given 20 s',
    ],
    ['that keeps capabilities', 'cap_drop: [ALL]', 'cap_drop: []', 'it keeps capabilities'],
    [
      'that waits for a missing health check',
      'mail: { condition: service_started',
      'mail: { condition: service_healthy',
      'has no health check',
    ],
  ];
  it.each(changes)('a Compose file is refused %s', (_, from, to, fault) => {
    expect(faultsOf(read('compose.yaml'))).toEqual([]);
    expect(faultsOf(changed(read('compose.yaml'), from, to)).join('\n')).toContain(fault);
  });
});

describe('refused manifests', () => {
  const folder = `${root}deploy/kubernetes`;
  const manifests = fs
    .readdirSync(folder)
    .filter((file) => file !== 'kustomization.yaml')
    .map((file) => read(`deploy/kubernetes/${file}`))
    .join('\n---\n');
  const objects = (text: string) => readYaml(text).documents;
  const changes: Change[] = [
    [
      'whose liveness asks the stores',
      'httpGet: { path: /health, port: http }\n            periodSeconds: 10',
      'httpGet: { path: /ready, port: http }\n            periodSeconds: 10',
      'livenessProbe does not ask GET /health',
    ],
    [
      'that stop too soon',
      'terminationGracePeriodSeconds: 30',
      'terminationGracePeriodSeconds: 15',
      'a stop takes up to 22 s',
    ],
    [
      'that stop serving before proxies have noticed',
      "SHUTDOWN_DELAY: '5'",
      "SHUTDOWN_DELAY: '1'",
      'a stop goes on serving for 1 s',
    ],
    [
      'with a setting that is misspelt',
      'READY_REQUIRE_REDIS:',
      'READY_REQUIRES_REDIS:',
      'READY_REQUIRES_REDIS is no setting',
    ],
    ['with unreachable metrics', 'METRICS_HOST: 0.0.0.0', 'X: y', 'METRICS_HOST is 127.0.0.1, not 0.0.0.0'],
    [
      'whose settings do not fit together',
      "METRICS_PORT: '9464'",
      "METRICS_PORT: '3097'",
      'METRICS_PORT is 3097, which is PORT',
    ],
    [
      'that lack a setting production needs',
      'AUTH_BASE_URL: https://auth.example.com',
      "LOG_LEVEL: 'info'",
      'AUTH_BASE_URL is nothing',
    ],
    ['that name a key the Secret lacks', 'latchkey/smtp-url', 'latchkey/smtp', 'which is not mounted'],
    [
      'that write to their files',
      'readOnlyRootFilesystem: true',
      'readOnlyRootFilesystem: false',
      'readOnlyRootFilesystem is not true',
    ],
    [
      'with another port than the service',
      'containerPort: 3097',
      'containerPort: 8080',
      'the port http is 8080, not 3097',
    ],
    [
      'with an image of another version',
      'image: latchkey:0.1.0',
      'image: latchkey:latest',
      'names no version',
    ],
    ['that let the machine routes out', 'path: /auth\n', 'path: /\n', '/internal/admin/users can be reached'],
    [
      'that let the metrics out',
      'path: /login\n',
      'path: /metrics\n',
      '/metrics can be reached from outside',
    ],
    [
      'that leave what a path means to the controller',
      'path: /login\n            pathType: Exact',
      'path: /login\n            pathType: ImplementationSpecific',
      '/internal/users can be reached from outside',
    ],
    [
      'that keep the pages in',
      'path: /reset-password\n',
      'path: /reset\n',
      '/reset-password cannot be reached',
    ],
    [
      'whose Ingress speaks in the clear',
      'hosts: [auth.example.com]',
      'hosts: []',
      'auth.example.com has no TLS',
    ],
    [
      'whose Ingress asks for a port that is not there',
      'port: { name: http }',
      'port: { name: web }',
      'the Service latchkey has no port web',
    ],
    [
      'whose Service asks for a port that is not there',
      'targetPort: http',
      'targetPort: web',
      'the pods have no port web',
    ],
  ];
  it.each(changes)('a manifest is refused %s', (_, from, to, fault) => {
    expect(faultsOfObjects(objects(manifests), 'latchkey:0.1.0')).toEqual([]);
    expect(faultsOfObjects(objects(changed(manifests, from, to)), 'latchkey:0.1.0').join('\n')).toContain(
      fault,
    );
  });

  it('a manifest is refused whose disruption budget selects other pods', () => {
    const others = read('deploy/kubernetes/pdb.yaml').replace('component: service', 'component: worker');
    const faults = faultsOfObjects([...objects(manifests), ...objects(others)], 'latchkey:0.1.0');
    expect(faults).toEqual([
      'PodDisruptionBudget latchkey: its selector does not fit the labels of the pods',
    ]);
  });

  it('a manifest is refused with a field that Kubernetes does not have', () => {
    const [deployment = {}] = objects(
      changed(read('deploy/kubernetes/deployment.yaml'), 'failureThreshold: 150', 'failureTreshold: 150'),
    );
    expect(faultsOfFields([deployment], root).join('\n')).toContain('failureTreshold');
  });

  it('a manifest is refused of a kind that Kubernetes does not have', () => {
    expect(faultsOfFields([{ apiVersion: 'apps/v1', kind: 'Deploy' }], root).join('\n')).toContain('IDeploy');
  });

  it('a manifest is refused without a field that Kubernetes needs', () => {
    const faults = faultsOfFields([{ apiVersion: 'apps/v1', kind: 'Deployment', spec: {} }], root);
    expect(faults.join('\n')).toContain('selector');
  });

  it('a manifest is refused with a value of another type than Kubernetes takes', () => {
    const [deployment = {}] = objects(
      changed(read('deploy/kubernetes/deployment.yaml'), 'containerPort: 3097', 'containerPort: http'),
    );
    expect(faultsOfFields([deployment], root).join('\n')).toContain(
      "'string' is not assignable to type 'number'",
    );
  });
});
