import { Option, type Command } from 'commander';
import type { AuditFilter } from '@latchkey/core';
import type { Administration } from '@latchkey/operations';
import { action, type Call } from '../../runtime/call.js';
import { wholeNumber, withCommonOptions } from '../../runtime/command-options.js';
import { withAdministration } from '../../runtime/connection.js';
import type { ProgressBar } from '../../runtime/progress.js';
import type { Terminal } from '../../runtime/terminal.js';
import { AUDIT_ENTRY, withNames, type NamedEntry } from './audit-entry.js';
import { readAuditFilter, withAuditFilter, type AuditOptions } from './audit-options.js';
import { addTailAudit } from './tail-audit.js';

/** Adds `--until`, for a log that is read backwards from the newest entry. */
const withUntil = (command: Command): Command => command.option('--until <time>', 'only before this time');

export function addAuditCommands(program: Command, terminal: Terminal): void {
  const audit = program.command('audit').helpCommand(false).description('Read the audit log.');
  addList(audit, terminal);
  addTailAudit(audit, terminal);
}

const MOST = 1000;

interface ListOptions extends AuditOptions {
  limit: number;
  cursor?: string;
  all?: boolean;
  jsonl?: boolean;
}

function addList(audit: Command, terminal: Terminal): void {
  const command = audit.command('list').description('List entries of the audit log, newest first.');
  withUntil(withAuditFilter(command))
    .option('--limit <n>', `how many to show, at most ${MOST}`, wholeNumber(1, MOST), 50)
    .option('--cursor <cursor>', 'continue after a previous list')
    .addOption(new Option('--all', 'show all entries, page by page').conflicts('limit'))
    .addOption(new Option('--jsonl', 'print one JSON object a line').conflicts(['json', 'quiet']));
  withCommonOptions(command, {
    json: 'array of entries, as GET /internal/admin/audit-logs returns them',
    quiet: 'print only the ids',
    notes:
      'Times are UTC. On a terminal a date precedes the entries of a day, and a line holds time, event, outcome, actor (and affected user), address and details. ' +
      'Without a terminal: id, time, event, outcome, actor, id of the acting user, id of the affected user, company, ' +
      'session, address, details as JSON, and id or name of who acted for the actor, separated by tabs.',
    examples: [
      ['latchkey audit list --user ada@example.com --since 7d', 'what happened to an account'],
      ['latchkey audit list --event login --outcome failure --since 1h', 'failed sign-ins of the last hour'],
      [
        'latchkey audit list --since 2026-01-01 --until 2026-02-01 --all --jsonl > january.jsonl',
        'an export',
      ],
    ],
  }).action(action(terminal, listAudit));
}

async function listAudit(call: Call<ListOptions>): Promise<void> {
  const { all = false, jsonl: jsonLines = false } = call.options;
  await withAdministration(call, async ({ administration }) => {
    const filter = await readAuditFilter(call, administration);
    const list = new EntryList(administration, filter, call.options);
    await call.progress.during(
      'Reading the audit log',
      (bar) => call.output.entries(list.pages(bar), AUDIT_ENTRY, { jsonLines }),
      { printsResults: true },
    );
    if (!all && list.nextCursor !== undefined) {
      call.output.note('There are more entries. --all shows all of them; this command shows the next page:');
      // On its own line, which is never wrapped.
      call.output.note(call.again({ cursor: list.nextCursor }));
    }
  });
}

/** Yields the requested entries: one page, or all pages. */
class EntryList {
  readonly #administration: Administration;
  readonly #filter: AuditFilter;
  readonly #options: ListOptions;
  nextCursor: string | undefined;

  constructor(administration: Administration, filter: AuditFilter, options: ListOptions) {
    this.#administration = administration;
    this.#filter = filter;
    this.#options = options;
    this.nextCursor = options.cursor;
  }

  async *pages(bar: ProgressBar): AsyncGenerator<NamedEntry[]> {
    const { all = false, limit } = this.#options;
    let done = 0;
    do {
      const page = { limit: all ? MOST : limit, cursor: this.nextCursor };
      const { items, nextCursor } = await this.#administration.audit.list(this.#filter, page);
      this.nextCursor = nextCursor;
      yield await withNames(items, this.#administration);
      done += items.length;
      bar.at(done);
    } while (all && this.nextCursor !== undefined);
  }
}
