// Carries out the Dockerfile without a container engine and runs what comes of it: `npm run deploy:try`.
//
// The stages are built in a scratch folder from what `.dockerignore` lets through, with the Node of this machine in place
// of the base image. The service then runs with the image's start command, environment and user against a PostgreSQL
// and a Redis of its own, in production and with its secrets in files, and is used as operators use it.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../test/support/free-port.js';
import { startPostgres } from '../test/support/postgres.js';
import { startRedis } from '../test/support/redis.js';
import { readText, repositoryFiles, root } from './ci-files.mjs';
import { readYaml } from './deploy/yaml-documents.js';
import { buildStages, type BuiltStage } from './image/build-stages.js';
import { containerOf } from './image/container.js';
import { dockerIgnore } from './image/docker-ignore.js';
import { stagesOf } from './image/dockerfile.js';
import { faultsOfContent, sizeOf } from './image/image-content.js';
import { Image } from './image/image.js';
import type { Running } from './image/running.js';
import { grantService } from './image/service-account.js';

const START_PATIENCE = 60_000;
const STOP_PATIENCE = 25_000;
const PASSWORD = 'a slow river bend';

function expect(isTrue: boolean, what: string, detail = ''): void {
  if (!isTrue) throw new Error(`${what}: no\n${detail.slice(-3000)}`);
  console.log(`   ${what}`);
}

function build(scratch: string): BuiltStage {
  const isIgnored = dockerIgnore(readText('.dockerignore'));
  const kept = Object.entries(process.env).filter(([name]) =>
    /^(?:HOME|TMPDIR|\w*_proxy|npm_config_(?:registry|cache|userconfig)|NODE_EXTRA_CA_CERTS)$/i.test(name),
  );
  const searched = (process.env.PATH ?? '')
    .split(':')
    .filter((folder) => !folder.endsWith('node_modules/.bin'));
  return buildStages(stagesOf(readText('Dockerfile')), {
    folder: root,
    files: repositoryFiles().filter((file) => !isIgnored(file)),
    scratch,
    environment: {
      ...Object.fromEntries(kept.map(([name, value]) => [name, value ?? ''])),
      PATH: searched.join(':'),
      NPM_CONFIG_PREFER_OFFLINE: 'true',
    },
  });
}

/** The secrets of compose.yaml, made as it is documented; the database is another one. */
function writeSecrets(stage: BuiltStage, databaseUrl: string): void {
  const folder = path.join(stage.root, 'run/secrets');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'database-url'), databaseUrl, { mode: 0o444 });
  execFileSync('sh', [path.join(root, 'deploy/compose-secrets.sh'), folder], { stdio: 'ignore' });
  // Mounted one by one, as they are in a container, the folder they lie in does not matter.
  fs.chmodSync(folder, 0o755);
}

async function untilReady(url: string, service: Running): Promise<boolean> {
  const end = performance.now() + START_PATIENCE;
  while (performance.now() < end && !service.hasEnded) {
    const reply = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
    if (reply?.status === 200) return true;
    await sleep(100);
  }
  return false;
}

async function migrate(image: Image): Promise<void> {
  const help = await image.run(['latchkey', '--help']);
  expect(help.code === 0 && help.output.includes('Usage: latchkey'), 'latchkey --help', help.output);
  const up = await image.run(['latchkey', 'migrate', 'up']);
  expect(up.code === 0, 'latchkey migrate up', up.output);
}

async function prepare(image: Image): Promise<void> {
  const status = await image.run(['latchkey', 'migrate', 'status', '--check', '--quiet']);
  expect(status.code === 0 && status.output.includes('0001'), 'latchkey migrate status', status.output);
  const bootstrap = [
    'latchkey',
    'bootstrap',
    '--email',
    'ada@example.com',
    '--name',
    'Ada',
    '--password-stdin',
    '--as',
    'try-image',
  ];
  const first = await image.run(bootstrap, `${PASSWORD}\n`);
  expect(first.code === 0, 'latchkey bootstrap', first.output);
}

async function signIn(url: string): Promise<void> {
  const reply = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com', password: PASSWORD }),
  });
  const text = await reply.text();
  expect(reply.status === 200 && text.includes('accessToken'), 'POST /auth/login issues tokens', text);
}

/** Megabytes of memory the process holds. */
function residentMegabytes(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Math.round(Number(line?.[1] ?? 0) / 1024);
}

async function serve(image: Image, stage: BuiltStage, urls: { own: string; metrics: string }): Promise<void> {
  const service = image.start(stage.command);
  try {
    expect(
      await untilReady(urls.own, service),
      `${stage.command.join(' ')} answers GET /ready`,
      service.output,
    );
    const healthy = await image.run(stage.healthcheck);
    expect(healthy.code === 0, 'the health check passes while it runs', healthy.output);
    await signIn(urls.own);
    const metrics = await (await fetch(urls.metrics)).text();
    expect(metrics.includes('# TYPE latchkey_'), 'METRICS_PORT answers GET /metrics', metrics);
    if (process.platform === 'linux') console.log(`   ${residentMegabytes(service.pid)} MB of memory`);
    service.signal('SIGTERM');
    expect((await service.end(STOP_PATIENCE)) === 0, 'SIGTERM ends it with 0', service.output);
    expect(!/EROFS|EACCES|read-only/i.test(service.output), 'it tried to write nowhere', service.output);
    const gone = await image.run(stage.healthcheck);
    expect(gone.code === 1, 'the health check fails when it has ended', gone.output);
  } finally {
    service.signal('SIGKILL');
  }
}

/** What the manifests set: here it is read by the service, which refuses what does not fit together. */
function clusterSettings(): Record<string, string> {
  const [configMap = {}] = readYaml(readText('deploy/kubernetes/configmap.yaml')).documents;
  return configMap.data as Record<string, string>;
}

async function use(stage: BuiltStage): Promise<void> {
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  const [port, metricsPort] = [await freePort(), await freePort()];
  try {
    writeSecrets(stage, postgres.url);
    const container = containerOf(stage);
    console.log(`   run with Node ${process.versions.node}: ${container.description}`);
    await migrate(new Image(container, { DATABASE_URL_FILE: container.inside('/run/secrets/database-url') }));
    const image = new Image(container, {
      ...clusterSettings(),
      HOST: '127.0.0.1',
      PORT: String(port),
      METRICS_HOST: '127.0.0.1',
      METRICS_PORT: String(metricsPort),
      SMTP_URL: 'smtp://127.0.0.1:9',
      DATABASE_URL: await grantService(postgres.url),
      REDIS_URL: redis.url,
      JWT_SIGNING_KEY_PEM_FILE: container.inside('/run/secrets/signing-key.pem'),
      AUTH_INTERNAL_API_KEY_FILE: container.inside('/run/secrets/internal-api-key'),
    });
    await prepare(image);
    const urls = { own: `http://127.0.0.1:${port}`, metrics: `http://127.0.0.1:${metricsPort}/metrics` };
    await serve(image, stage, urls);
  } finally {
    await Promise.all([postgres.stop(), redis.stop()]);
  }
}

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'latchkey-image-'));
fs.chmodSync(scratch, 0o755);
try {
  const began = performance.now();
  const stage = build(scratch);
  const app = path.join(stage.root, stage.workdir);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(`   built in ${seconds} s, ${(sizeOf(app) / 1e6).toFixed(0)} MB on top of the base image`);
  const faults = faultsOfContent(app);
  expect(faults.length === 0, 'it holds what runs and nothing else', faults.slice(0, 20).join('\n'));
  await use(stage);
} catch (error) {
  console.log(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  // What is in a folder that cannot be written to cannot be removed.
  spawnSync('chmod', ['-R', 'u+w', scratch]);
  fs.rmSync(scratch, { recursive: true, force: true });
}
