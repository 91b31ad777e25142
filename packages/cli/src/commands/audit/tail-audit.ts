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

interface TailOptions extends AuditOptions {
  lines: number;
  jsonl?: boolean;
}

export function addTailAudit(audit: Command, terminal: Terminal): void {
  const command = audit
    .command('tail')
    .description('Follow the audit log: the last entries, then each new one as it comes.');
  withAuditFilter(command)
    .addOption(
      new Option('-n, --lines <n>', 'how many entries to begin with')
        .argParser(wholeNumber(0, 1000))
        .default(10)
        .conflicts('since'),
    )
    .addOption(new Option('--jsonl', 'the same as --json').conflicts('quiet'));
  withCommonOptions(command, {
    json: 'each entry in a line of its own, as GET /internal/admin/audit-logs answers it',
    quiet: 'print the ids only',
    notes:
      'It looks every second and goes on until Ctrl-C, which ends it with 130. An entry bears the time at which its ' +
      'transaction began and shows when that ends, so each look reaches 30 seconds back: an entry that comes late is ' +
      'printed late, and each is printed once. While the database is away it waits and then goes on where it was. ' +
      'Lines are those of audit list.',
    examples: [
      ['latchkey audit tail', 'what is going on'],
      ['latchkey audit tail --event login --outcome failure', 'while somebody guesses passwords'],
      ["latchkey audit tail --since 1h --json | jq -r '.ipAddress'", 'for a program'],
    ],
  }).action(action(terminal, tailAudit));
}

async function tailAudit(call: Call<TailOptions>): Promise<void> {
  const { lines, json = false, jsonl = false } = call.options;
  await withAdministration(call, async ({ administration }) => {
    const filter = await readAuditFilter(call, administration);
    const tail = administration.auditLog.follow(filter, { last: lines });
    // What is wrong from the start is a failure; what breaks later is waited for.
    const first = await withNames(await tail.next(), administration);
    await untilInterrupted((interruption) => {
      const patience = new Patience(call.output, interruption);
      const pages = pagesOf(first, patience, async () => {
        const entries = await patience.persist(() => tail.next(), NOTHING);
        return patience.persist(() => withNames(entries, administration), NOTHING);
      });
      return call.output.entries(pages, AUDIT_ENTRY, { jsonLines: json || jsonl });
    });
  });
}

const NOTHING: never[] = [];

async function* pagesOf(first: NamedEntry[], patience: Patience, next: () => Promise<NamedEntry[]>) {
  yield first;
  while (!patience.isOver) {
    const page = await next();
    if (page.length > 0) yield page;
    else await patience.pause();
  }
}

/** Waits for new entries, and for a database that is away, until it is interrupted. */
class Patience {
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

  /** A second, or less when that is all there is. */
  async pause(): Promise<void> {
    await sleep(PAUSE_MS, undefined, { signal: this.#interruption }).catch(() => undefined);
  }

  /** Tries again until it works. @returns `otherwise` when it is interrupted before. */
  async persist<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
    while (!this.isOver) {
      try {
        const result = await work();
        this.#say(false, 'The database is back.');
        return result;
      } catch (error) {
        if (!isAway(error)) throw error;
        this.#say(true, 'The database is away; the log goes on where it was once it is back.');
        await this.pause();
      }
    }
    return otherwise;
  }

  /** Says each change once. */
  #say(isTried: boolean, text: string): void {
    if (this.#isTried !== isTried) this.#output.note(text);
    this.#isTried = isTried;
  }
}

const isAway = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'service_unavailable';
