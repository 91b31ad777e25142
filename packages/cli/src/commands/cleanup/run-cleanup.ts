import type {
  CleanupOrder,
  CleanupPlan,
  CleanupRequest,
  CleanupResult,
  RetentionKind,
} from '@latchkey/operations';
import { RETENTION_KINDS } from '@latchkey/operations/names';
import type { Call } from '../../runtime/call.js';
import {
  withAdministration,
  withOperator,
  type AdministrationSession,
  type OperatorSession,
} from '../../runtime/connection.js';
import { countOf } from '../../runtime/count-words.js';
import { CommandError } from '../../runtime/failure.js';
import { untilInterrupted } from '../../runtime/interruption.js';
import type { ListFormat } from '../../runtime/output.js';
import { relativeTime } from '../../runtime/relative-time.js';
import { sizeText } from '../../runtime/size-text.js';

/** Previews the rows to delete or, with `--run`, deletes them. */
export async function cleanUp(call: Call<CleanupOptions>): Promise<void> {
  // Invalid options are reported before anything is connected.
  requestOf(call.options);
  const { durationText } = await import('@latchkey/core/settings');
  const cleanupOf = (session: AdministrationSession) => new Cleanup(call, session, durationText);
  if (call.options.run === true) {
    await withOperator(call, (session) => cleanupOf(session).remove(session));
  } else {
    await withAdministration(call, (session) => cleanupOf(session).simulate());
  }
}

class Cleanup {
  readonly #call: Call<CleanupOptions>;
  readonly #session: AdministrationSession;
  readonly #durationText: (seconds: number) => string;

  constructor(
    call: Call<CleanupOptions>,
    session: AdministrationSession,
    durationText: (seconds: number) => string,
  ) {
    this.#call = call;
    this.#session = session;
    this.#durationText = durationText;
  }

  async simulate(): Promise<void> {
    const { options, output } = this.#call;
    const plans = await this.#plan();
    const rows = rowsOf(plans);
    if (options.quiet === true && options.json !== true) {
      output.answer({ view: plans, text: '', id: String(rows) });
      return;
    }
    this.#show(plans);
    if (rows === 0) output.note('Nothing to delete.');
    else output.note(`Nothing was deleted. To delete these rows: ${commandOf(options, this.#durationText)}`);
  }

  async remove(by: OperatorSession): Promise<void> {
    const { output, prompts } = this.#call;
    const total = prompts.canAsk ? await this.#announce() : undefined;
    const rows = total === undefined ? 'all expired rows' : countOf(total, 'row');
    if (total !== 0) await prompts.confirm(`Delete ${rows} permanently?`);
    await untilInterrupted(async (signal) => {
      const result = await this.#run(by, signal, total);
      output.answer({ view: result, text: sentenceOf(result), id: String(sumOf(result)) });
      if (!result.isComplete) output.note('Interrupted. Run the command again to continue.');
    });
  }

  /** Shows the rows to delete before the question. Returns their number. */
  async #announce(): Promise<number> {
    const { json = false, quiet = false } = this.#call.options;
    const plans = await this.#plan();
    if (!json && !quiet) this.#show(plans);
    return rowsOf(plans);
  }

  #show(plans: CleanupPlan[]): void {
    this.#call.output.list({ items: plans, total: plans.length }, planList(this.#durationText));
  }

  #plan(): Promise<CleanupPlan[]> {
    const { options, progress } = this.#call;
    const { maintenance } = this.#session.administration;
    return progress.during('Counting rows', (bar) =>
      maintenance.plan(requestOf(options), (rows) => bar.at(rows)),
    );
  }

  /** Deletes the rows, and reports those that were deleted before a failure. */
  async #run(
    { administration, operator: actor, client }: OperatorSession,
    signal: AbortSignal,
    total: number | undefined,
  ): Promise<CleanupResult> {
    const { options, progress, output } = this.#call;
    const order = { ...orderOf(options), actor, client, signal };
    let removed = 0;
    try {
      return await progress.during('Deleting', (bar) =>
        administration.maintenance.run(order, (rows) => {
          removed = rows;
          bar.at(rows, total);
        }),
      );
    } catch (error) {
      if (removed > 0) output.note(`${countOf(removed, 'row')} had been deleted before the error.`);
      throw error;
    }
  }
}

const rowsOf = (plans: readonly CleanupPlan[]): number => plans.reduce((sum, { count }) => sum + count, 0);

const sumOf = ({ removed }: CleanupResult): number =>
  Object.values(removed).reduce((sum, count) => sum + count, 0);

/** Returns `Deleted 12 rows: sessions 10, mail 2.` */
function sentenceOf(result: CleanupResult): string {
  const counts = Object.entries(result.removed).filter(([, count]) => count > 0);
  if (counts.length === 0) return 'Nothing was deleted.';
  return `Deleted ${countOf(sumOf(result), 'row')}: ${counts.map(([kind, count]) => `${kind} ${count}`).join(', ')}.`;
}

/** Returns the format of the preview, a line for each kind. */
const planList = (durationText: (seconds: number) => string): ListFormat<CleanupPlan> => ({
  noun: 'kinds of rows',
  columns: [
    { title: 'KIND', text: ({ kind }) => kind },
    {
      title: 'ROWS',
      text: ({ count }) => String(count),
      style: ({ count }) => (count > 0 ? 'bold' : 'dim'),
    },
    { title: 'ENDED', text: ({ keep }) => `over ${durationText(keep)} ago` },
    { title: 'OLDEST', text: ({ oldest }) => relativeTime(oldest), whenNarrow: 'drop' },
    { title: 'NEWEST', text: ({ newest }) => relativeTime(newest), whenNarrow: 'drop' },
    { title: 'SIZE', text: ({ bytes }) => (bytes === 0 ? '' : `about ${sizeText(bytes)}`) },
  ],
  fields: ['kind', 'count', 'oldest', 'newest', 'bytes', 'before'],
  id: ({ kind }) => kind,
});

interface CleanupOptions {
  run?: boolean;
  sessionsAfter?: number;
  resetsAfter?: number;
  invitationsAfter?: number;
  apiKeysAfter?: number;
  mailAfter?: number;
  revocationsAfter?: number;
  webhooksAfter?: number;
  rolesAfter?: number;
  auditAfter?: number;
  only?: RetentionKind[];
  batchSize: number;
  pause: number;
}

/** Returns the request of the options. @throws CommandError for a time of a kind that --only omits. */
function requestOf(options: CleanupOptions): CleanupRequest {
  const { only } = options;
  const keep = keepOf(options);
  const stray = RETENTION_KINDS.find((kind) => keep[kind] !== undefined && only?.includes(kind) === false);
  if (stray !== undefined) throw CommandError.usage(`--only omits ${stray}, but --${stray}-after is given.`);
  return { keep, only };
}

const orderOf = (options: CleanupOptions): CleanupOrder => ({
  ...requestOf(options),
  batchSize: options.batchSize,
  pauseMs: options.pause,
});

/** Returns the command line that deletes what the preview showed. */
function commandOf(options: CleanupOptions, durationText: (seconds: number) => string): string {
  const keep = keepOf(options);
  const ages = RETENTION_KINDS.flatMap((kind) => {
    const seconds = keep[kind];
    return seconds === undefined ? [] : [`--${kind}-after ${durationText(seconds)}`];
  });
  const only = options.only ? [`--only ${options.only.join(',')}`] : [];
  return ['latchkey cleanup --run', ...ages, ...only].join(' ');
}

const keepOf = (options: CleanupOptions): Partial<Record<RetentionKind, number | undefined>> => ({
  sessions: options.sessionsAfter,
  resets: options.resetsAfter,
  invitations: options.invitationsAfter,
  'api-keys': options.apiKeysAfter,
  mail: options.mailAfter,
  revocations: options.revocationsAfter,
  webhooks: options.webhooksAfter,
  roles: options.rolesAfter,
  audit: options.auditAfter,
});
