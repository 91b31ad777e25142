import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RecordingTerminal } from '../../../../test/support/recording-terminal.js';
import { Progress, type ProgressBar } from './progress.js';

beforeEach(async () => {
  await import('cli-progress');
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function shownDuring(
  work: (bar: ProgressBar) => Promise<unknown>,
  { tty = true, quiet = false } = {},
): Promise<RecordingTerminal> {
  const terminal = new RecordingTerminal({ tty });
  const outcome = new Progress(terminal, { quiet }).during('Counting sheep', work).catch(String);
  await vi.advanceTimersByTimeAsync(10_000);
  await outcome;
  return terminal;
}

const slowWork = async (bar: ProgressBar) => {
  bar.at(1, 4);
  await pause(2000);
  bar.at(3, 4);
  await pause(2000);
};

describe('a progress bar', () => {
  it('a bar shows the progress of work over a second, and disappears at its end', async () => {
    const { stdout, stderr } = await shownDuring(slowWork);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/Counting sheep \[=+-+\] 25% \(1 of 4\)/);
    expect(stderr).toMatch(/Counting sheep \[=+-+\] 75% \(3 of 4\)/);
    const clearLine = '\u001b[1G\u001b[2K';
    expect(stderr.endsWith(clearLine)).toBe(true);
  });

  it('a bar without a total counts', async () => {
    const { stderr } = await shownDuring(async (bar) => {
      bar.at(1000);
      await pause(1500);
      bar.at(2500);
      await pause(1500);
    });
    expect(stderr).toContain('Counting sheep: 1000');
    expect(stderr).toContain('Counting sheep: 2500');
    expect(stderr).not.toContain('%');
  });

  it('a bar does not change the cursor or line wrapping', async () => {
    const { stderr } = await shownDuring(slowWork);
    expect(stderr).not.toMatch(/\u001b\[\?/);
  });

  it('a bar is not drawn for work of less than a second', async () => {
    const { stderr } = await shownDuring(async (bar) => {
      bar.at(1, 2);
      await pause(900);
    });
    expect(stderr).toBe('');
  });

  it('a bar is not drawn without a terminal or with --quiet', async () => {
    expect((await shownDuring(slowWork, { tty: false })).stderr).toBe('');
    expect((await shownDuring(slowWork, { quiet: true })).stderr).toBe('');
  });

  it('a bar is not drawn between results on the same terminal', async () => {
    const terminal = new RecordingTerminal({ tty: true });
    const progress = new Progress(terminal, { quiet: false });
    const printing = progress.during('Counting sheep', slowWork, { printsResults: true });
    await vi.advanceTimersByTimeAsync(10_000);
    await printing;
    expect(terminal.stderr).toBe('');
  });

  it('a bar disappears if the work fails, and the error is thrown', async () => {
    const terminal = new RecordingTerminal({ tty: true });
    const work = new Progress(terminal, { quiet: false }).during('Counting sheep', async () => {
      await pause(1500);
      throw new Error('no sheep');
    });
    const failure = expect(work).rejects.toThrow('no sheep');
    await vi.advanceTimersByTimeAsync(2000);
    await failure;
    const { stderr } = terminal;
    await vi.advanceTimersByTimeAsync(2000);
    expect(terminal.stderr).toBe(stderr);
  });
});
