// Builds the image and runs compose.yaml with it, as a deployment would: `npm run deploy:try`.
//
// It needs a container engine with Compose, and the ports that compose.yaml publishes. Where there is no engine it says
// so and ends with 77, which `.ci/run` reports as a skipped step. Volumes and containers are removed at the end.
import { spawnSync } from 'node:child_process';
import { root } from '../shared/repository-files.mjs';

const SKIPPED = 77;
const PASSWORD = 'a slow river bend';
const ADDRESS = 'http://localhost:3097';

/** Files of the image that only development needs, or that must never be in it. */
const SUPERFLUOUS =
  "find . -path ./node_modules -prune -o -type f '(' -path '*/src/*' -o -name '*.ts' -o -name '*.map' " +
  "-o -name '*.pem' -o -name '.env*' ')' -print && " +
  'for one in node_modules/vitest node_modules/typescript; do test ! -e $one || echo $one; done';

/** Runs a program and returns what it printed. @throws Error with that, when it fails. */
function run(program: string, words: readonly string[], input = ''): string {
  const { status, stdout, stderr, error } = spawnSync(program, words, { cwd: root, encoding: 'utf8', input });
  if (status === 0) return stdout;
  throw new Error(`${program} ${words.join(' ')}\n${error?.message ?? (stdout + stderr).slice(-4000)}`);
}

const compose = (words: readonly string[], input?: string): string =>
  run('docker', ['compose', '--project-name', 'latchkey-try', ...words], input);

const inService = (words: readonly string[], input?: string): string =>
  compose(['exec', '-T', 'latchkey', ...words], input);

function expect(isTrue: boolean, what: string, detail = ''): void {
  if (!isTrue) throw new Error(`${what}: no\n${detail.slice(-4000)}`);
  console.log(`   ${what}`);
}

const hasEngine = (): boolean =>
  [['info'], ['compose', 'version']].every((words) => spawnSync('docker', words).status === 0);

async function signIn(): Promise<void> {
  const reply = await fetch(`${ADDRESS}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com', password: PASSWORD }),
  });
  const text = await reply.text();
  expect(reply.status === 200 && text.includes('accessToken'), 'POST /auth/login issues tokens', text);
}

async function tryDeployment(): Promise<void> {
  run('sh', ['deploy/compose-secrets.sh']);
  compose(['up', '--build', '--wait', '--wait-timeout', '300']);
  expect(true, 'the image is built, the schema is migrated, GET /ready answers 200');
  const found = inService(['sh', '-c', SUPERFLUOUS]);
  expect(found === '', 'the image holds nothing that is for development only', found);
  const person = ['--email', 'ada@example.com', '--name', 'Ada', '--password-stdin', '--as', 'deploy:try'];
  inService(['latchkey', 'bootstrap', ...person], `${PASSWORD}\n`);
  await signIn();
  const container = compose(['ps', '--quiet', 'latchkey']).trim();
  compose(['stop', 'latchkey']);
  const exitCode = run('docker', ['inspect', '--format', '{{.State.ExitCode}}', container]).trim();
  const log = compose(['logs', 'latchkey']);
  expect(exitCode === '0', 'SIGTERM ends the service with 0', `exit code ${exitCode}\n${log}`);
  expect(!/EROFS|EACCES|read-only file/i.test(log), 'the service writes to no file', log);
}

if (hasEngine()) {
  try {
    await tryDeployment();
  } catch (error) {
    console.log(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  } finally {
    compose(['down', '--volumes', '--timeout', '30']);
  }
} else {
  console.log(
    'Nothing was tried: this needs a container engine (docker info) with Compose (docker compose version).',
  );
  process.exitCode = SKIPPED;
}
