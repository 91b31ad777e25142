import type { Knex } from 'knex';
import type { EndSpan, SpanDetails, Tracer } from '../kernel/tracer.js';

/** Records statements as spans named after them; their values are never recorded. Without a tracer it records nothing. */
export class StatementSpans {
  readonly #tracer: Tracer | undefined;

  constructor(tracer: Tracer | undefined) {
    this.#tracer = tracer;
  }

  /** Runs a statement that has a name. */
  statement<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.#tracer ? this.#tracer.step(detailsOf(name), work) : work();
  }

  /** Runs a whole transaction, from the wait for a connection to the commit. */
  transaction<T>(work: () => Promise<T>): Promise<T> {
    return this.statement('transaction', work);
  }

  /** Records the statements that knex sends, inside transactions too, under the kind of statement and its table. */
  follow(knex: Knex): void {
    const tracer = this.#tracer;
    if (!tracer) return;
    const open = new Map<string, EndSpan>();
    const end = ({ __knexQueryUid: id }: SentQuery, error?: unknown): void => {
      open.get(id)?.(error);
      open.delete(id);
    };
    knex.on('query', ({ __knexQueryUid: id, sql }: SentQuery) =>
      open.set(id, tracer.begin(detailsOf(nameOf(sql)))),
    );
    knex.on('query-response', (_response: unknown, query: SentQuery) => end(query));
    knex.on('query-error', (error: unknown, query: SentQuery) => end(query, error));
  }
}

/** A statement as the events of knex describe it. */
interface SentQuery {
  __knexQueryUid: string;
  sql: string;
}

/** Returns a name of few values: `insert auth_audit_logs`. */
function nameOf(sql: string): string {
  const [verb = 'statement'] = /^\w+/.exec(sql.trim().toLowerCase()) ?? [];
  const [, table] = /\b(?:from|into|update)\s+"?(\w+)"?/i.exec(sql) ?? [];
  return table === undefined ? verb : `${verb} ${table}`;
}

const detailsOf = (name: string): SpanDetails => ({
  name,
  kind: 'client',
  attributes: { 'db.system.name': 'postgresql', 'db.query.summary': name },
});
