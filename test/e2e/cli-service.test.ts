import { existsSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../tools/shared/free-port.mjs';
import { runCli, runCliHere, runShell, startCli, type CliProcess } from '../support/cli-process.js';
import { createTestDatabase } from '../support/test-database.js';
import { waitUntil } from '../support/wait-until.js';

function started(args: string[], env: Record<string, string>): CliProcess {
  const command = startCli(args, { env: { HOST: '127.0.0.1', ...env } });
  onTestFinished(async () => {
    command.signal('SIGKILL');
    await command.exited;
  });
  return command;
}

async function untilItSays(command: CliProcess, words: string): Promise<void> {
  let hasEnded = false;
  void command.exited.then(() => (hasEnded = true));
  const says = () => {
    if (hasEnded) throw new Error(`It has ended.\n${command.output()}`);
    return command.output().includes(words);
  };
  await waitUntil(says, { what: words });
}

async function databaseUrl(): Promise<string> {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  return database.url;
}

const isUp = (url: string): Promise<boolean> =>
  fetch(`${url}/health`).then(
    ({ status }) => status === 200,
    () => false,
  );

describe('latchkey serve', () => {
  it('serve runs the service, logs JSON lines and stops with 0 on SIGTERM', async () => {
    const port = await freePort();
    const service = started(['serve'], { DATABASE_URL: await databaseUrl(), PORT: String(port) });
    await untilItSays(service, 'is ready');
    expect(await isUp(`http://127.0.0.1:${port}`)).toBe(true);
    service.signal('SIGTERM');
    const { code, stdout, stderr } = await service.exited;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toContain('stopping on SIGTERM');
  });

  it('a second signal ends serve at once, and one Ctrl-C stops it gracefully', async () => {
    const port = await freePort();
    // Without a delay, an idle service may have stopped before the second signal.
    const env = { DATABASE_URL: await databaseUrl(), PORT: String(port), SHUTDOWN_DELAY: '60' };
    const service = started(['serve'], env);
    await untilItSays(service, 'is ready');
    service.signal('SIGINT');
    await untilItSays(service, 'stopping on SIGINT');
    service.signal('SIGINT');
    expect((await service.exited).code).toBe(1);
  });

  it('invalid settings end serve with 1 and a message for all of them', async () => {
    const { code, stdout, stderr } = await runCli(['serve'], { env: { APP_ENV: 'production', PORT: 'x' } });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/settings are missing or wrong:[\s\S]*PORT[\s\S]*DATABASE_URL/);
  });
});

describe('latchkey dev', () => {
  it('dev is rejected in production, and --fresh with a database', async () => {
    expect(await runCliHere(['dev'], { env: { APP_ENV: 'production' } })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: APP_ENV is production, but this command is for development.\nRun: latchkey serve\n',
    });
    const fresh = await runCliHere(['dev', '--fresh'], {
      env: { DATABASE_URL: 'postgres://localhost/auth' },
    });
    expect(fresh).toMatchObject({ code: 2, stdout: '' });
    expect(fresh.stderr).toContain('--fresh uses its own database');
  });

  it('dev prints lines that work as they are, and --fresh leaves nothing behind', async () => {
    const port = await freePort();
    const service = started(['dev', '--fresh', '--port', String(port)], { PORT: '1' });
    await untilItSays(service, 'refresh: ');
    const shown = service.output();
    expect(shown).toMatch(/INFO: .*embedded PostgreSQL has started/);
    expect(shown).toMatch(/INFO: \d+ migrations were applied\.\n/);
    expect(shown).not.toContain('A migration was applied');
    expect(shown).toMatch(
      /\n {2}database +embedded PostgreSQL, development only: postgres:\/\/127\.0\.0\.1:\d+\/postgres\n/,
    );
    expect(shown).not.toMatch(/postgres:\/\/[^/\s]*@/);
    for (const page of ['docs', 'login', 'dev/mail']) {
      expect(shown).toContain(`http://localhost:${port}/${page}`);
      expect((await fetch(`http://127.0.0.1:${port}/${page}`)).status).toBe(200);
    }

    const lines = /To try it, .*\n\n([\s\S]*\n)\n/.exec(shown)?.[1] ?? '';
    const script = `npx() { shift; latchkey "$@"; }\n${lines}\ntoken refreshToken`;
    const { code, stdout, stderr } = await runShell(script);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const answers = stdout.trim().split('\n');
    expect(answers[0]).toContain('"status":"pending"');
    expect(answers[1]).toBe('ann@example.com is approved and active.');
    expect(answers[2]).toContain('"email":"ann@example.com"');
    expect(answers[3]).toMatch(/^lkr_/);

    const folder = /DATA_DIR='([^']+)'/.exec(shown)?.[1] ?? '';
    expect(existsSync(folder)).toBe(true);
    service.signal('SIGINT');
    expect((await service.exited).code).toBe(0);
    expect(service.output()).toContain('stopping on SIGINT');
    expect(existsSync(folder)).toBe(false);
    expect(await isUp(`http://127.0.0.1:${port}`)).toBe(false);
  });

  it('a killed dev --fresh removes its database and folder', async () => {
    const service = started(['dev', '--fresh', '--json', '--port', String(await freePort())], {});
    await untilItSays(service, 'how to try it');
    const guide = service
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { msg: string; steps: { line: string }[] })
      .find(({ msg }) => msg === 'how to try it');
    const folder = /DATA_DIR='([^']+)'/.exec(guide?.steps[1]?.line ?? '')?.[1] ?? '';
    expect(existsSync(folder)).toBe(true);
    service.signal('SIGKILL');
    await service.exited;
    await waitUntil(() => !existsSync(folder), {
      what: 'the folder to be gone',
    });
  });
});
