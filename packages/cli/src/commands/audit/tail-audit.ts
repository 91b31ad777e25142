import { setTimeout as sleep } from 'node:timers/promises';
import { Option, type Command } from 'commander';
import { action, type Call } from '../../runtime/call.js';
import { wholeNumber, withCommonOptions } from '../../runtime/command-options.js';
import { withAdministration } from '../../runtime/connection.js';
import { untilInterrupted } from '../../runtime/interruption.js';
import type { Output } from '../../runtime/output.js';
import type { Terminal } from '../../runtime/terminal.js';
import { AUDIT_ENTRY, withNames, type NamedEntry } from './audit-entry.js';
import { readAuditFilter, withAuditFilter, type AuditOptions } from './audit-options.js';

const PAUSE_MS = 1000;

export function addTailAudit(audit: Command, terminal: Terminal): void {
  const command = audit
    .command('tail')
    .description('Follow the audit log: print the last entries, then new ones as they arrive.');
  withAuditFilter(command)
    .addOption(
      new Option('-n, --lines <n>', 'how many entries to print first')
        .argParser(wholeNumber(0, 1000))
        .default(10)
        .conflicts('since'),
    )
    .addOption(new Option('--jsonl', 'the same as --json').conflicts('quiet'));
  withCommonOptions(command, {
    json: 'one entry a line, as GET /internal/admin/audit-logs returns it',
    quiet: 'print only the ids',
    notes:
      'Checks every second until Ctrl-C, which ends it with 130. An entry has the time at which its transaction ' +
      'began and appears when that ends: a late entry is printed late, and each ' +
      'is printed once. While the database is unavailable it waits, and then continues. ' +
      'The lines are those of audit list.',
    examples: [
      ['latchkey audit tail', 'recent and new entries'],
      ['latchkey audit tail --event login --outcome failure', 'during a password-guessing attack'],
      ["latchkey audit tail --since 1h --json | jq -r '.ipAddress'", 'for a program'],
    ],
  }).action(action(terminal, tailAudit));
}

async function tailAudit(call: Call<AuditOptions & { lines: number; jsonl?: boolean }>): Promise<void> {
  const { lines, json = false, jsonl = false } = call.options;
  await withAdministration(call, async ({ administration }) => {
    const filter = await readAuditFilter(call, administration);
    const tail = administration.audit.follow(filter, { last: lines });
    // An error at the start is a failure; a later one is retried.
    const first = await withNames(await tail.next(), administration);
    await untilInterrupted((interruption) => {
      const retry = new Retry(call.output, interruption);
      const pages = pagesOf(first, retry, async () => {
        const entries = await retry.persist(() => tail.next(), NOTHING);
        return retry.persist(() => withNames(entries, administration), NOTHING);
      });
      return call.output.entries(pages, AUDIT_ENTRY, { jsonLines: json || jsonl });
    });
  });
}

const NOTHING: never[] = [];

async function* pagesOf(first: NamedEntry[], retry: Retry, next: () => Promise<NamedEntry[]>) {
  yield first;
  while (!retry.isOver) {
    const page = await next();
    if (page.length > 0) yield page;
    else await retry.pause();
  }
}

/** Waits for new entries, and for an unavailable database, until interrupted. */
class Retry {
  readonly #output: Output;
  readonly #interruption: AbortSignal;
  #isTried = false;

  constructor(output: Output, interruption: AbortSignal) {
    this.#output = output;
    this.#interruption = interruption;
  }

  get isOver(): boolean {
    return this.#interruption.aborted;
  }

  /** Waits for a second, or until interrupted. */
  async pause(): Promise<void> {
    await sleep(PAUSE_MS, undefined, { signal: this.#interruption }).catch(() => undefined);
  }

  /** Retries work until it succeeds. Returns `otherwise` if interrupted before. */
  async persist<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
    while (!this.isOver) {
      try {
        const result = await work();
        this.#say(false, 'The database is available again.');
        return result;
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        this.#say(true, 'The database is unavailable; the log continues when it is available again.');
        await this.pause();
      }
    }
    return otherwise;
  }

  /** Prints each change once. */
  #say(isTried: boolean, text: string): void {
    if (this.#isTried !== isTried) this.#output.note(text);
    this.#isTried = isTried;
  }
}

const isUnavailable = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'service_unavailable';
