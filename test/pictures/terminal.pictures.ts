import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startConsoleService, type ConsoleService } from '../support/browser/console-data.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { programFile } from '../support/programs.js';
import { takePicture } from './take-picture.js';

/** The module that renders terminal output. It has packages that only the site has. */
interface TerminalPage {
  terminalPage: (command: string, output: string) => string;
}

const RENDERER = new URL('../../site/terminal-page.js', import.meta.url).href;
const COLUMNS = 104;
const run = promisify(execFile);

describeWithBrowser('pictures of the command line', (browser) => {
  let fixture: ConsoleService;
  beforeAll(async () => {
    fixture = await startConsoleService();
  });
  afterAll(() => fixture.stop());

  it.each([
    ['cli-users', ['users', 'list']],
    ['cli-doctor', ['doctor']],
  ])('the command of %s is photographed', async (picture, args) => {
    const { terminalPage } = (await import(RENDERER)) as TerminalPage;
    const output = await outputOf(args, fixture);
    expect(output).toContain('\u001b[');
    const { page } = await browser.visit(fixture.service.publicUrl);
    await page.setContent(terminalPage(`npx latchkey ${args.join(' ')}`, output));
    await takePicture(page, picture);
  });
});

/** Runs the command line on a pseudo-terminal, where it writes colors. Its exit code does not matter. */
async function outputOf(args: readonly string[], { service }: ConsoleService): Promise<string> {
  const command = [process.execPath, programFile('latchkey'), ...args].join(' ');
  const line = `stty cols ${COLUMNS} rows 60; ${command} || true`;
  const { PATH = '', HOME = '' } = process.env;
  const { stdout } = await run('script', ['-qec', line, '/dev/null'], {
    // Not in our folder: a developer's `.env` must not be in the picture.
    cwd: tmpdir(),
    env: { PATH, HOME, TERM: 'xterm-256color', SHELL: '/bin/sh', DATABASE_URL: service.databaseUrl },
  });
  return stdout;
}
