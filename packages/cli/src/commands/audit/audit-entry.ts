import type { AuditEntryView } from '@latchkey/core';
import type { Administration } from '@latchkey/operations';
import type { EntryFormat } from '../../runtime/entries.js';
import { printable, shorten } from '../../runtime/printable.js';
import type { Style } from '../../runtime/terminal.js';

/** An entry with the emails of its users. */
export interface NamedEntry {
  view: AuditEntryView;
  /** The email, or the id in the log. */
  actor: string;
  /** Who acted in the session of the actor; undefined for the actor. */
  actedBy: string | undefined;
  subject: string | undefined;
}

/** Looks up the users of a page of entries; a deleted user keeps the id. */
export async function withNames(
  entries: readonly AuditEntryView[],
  { users }: Administration,
): Promise<NamedEntry[]> {
  const ids = entries.flatMap(({ actorUserId, actedByUserId, subjectUserId }) => [
    actorUserId,
    actedByUserId,
    subjectUserId,
  ]);
  const emails = await users.emailsOf([...new Set(ids.filter((id) => id !== null))]);
  const nameOf = (id: string): string => emails.get(id) ?? id;
  return entries.map((view) => ({
    view,
    actor: view.actorUserId === null ? view.actor : nameOf(view.actorUserId),
    actedBy: view.actedByUserId === null ? (view.actedByName ?? undefined) : nameOf(view.actedByUserId),
    subject: view.subjectUserId === null ? undefined : nameOf(view.subjectUserId),
  }));
}

export const AUDIT_ENTRY: EntryFormat<NamedEntry> = {
  view: ({ view }) => view,
  fields: ({ view }) => [
    view.id,
    view.occurredAt,
    view.event,
    view.outcome,
    view.actor,
    view.actorUserId,
    view.subjectUserId,
    view.companyId,
    view.sessionId,
    view.ipAddress,
    view.details,
    view.actedByUserId,
    view.actedByName,
  ],
  id: ({ view }) => view.id,
  lines: (entry, { columns, paint }, above) => {
    const { occurredAt, event, outcome } = entry.view;
    const isNewDay = above === undefined || dayOf(above.view.occurredAt) !== dayOf(occurredAt);
    const start = [timeOf(occurredAt), event.padEnd(EVENT_WIDTH), outcome.padEnd(OUTCOME_WIDTH)];
    const rest = shorten(
      printable(storyOf(entry)),
      Math.max(columns - start.join(GAP).length - GAP.length, 24),
    );
    const style = STYLES[outcome];
    const [time = '', name = '', end = ''] = start;
    const parts = [paint('dim', time), name, style === undefined ? end : paint(style, end), rest];
    const line = parts.join(GAP).trimEnd();
    return isNewDay ? [paint('bold', `${dayOf(occurredAt)} UTC`), line] : [line];
  },
};

const GAP = '  ';
const EVENT_WIDTH = 20;
const OUTCOME_WIDTH = 7;
const STYLES: Record<AuditEntryView['outcome'], Style | undefined> = {
  success: undefined,
  failure: 'yellow',
  denied: 'red',
};

/** Formats exact times, because a log is read long after it was printed: the day above its entries, the time in each. */
const dayOf = (occurredAt: string): string => occurredAt.slice(0, 10);
const timeOf = (occurredAt: string): string => occurredAt.slice(11, 19);

/** Returns the actor and who acted for them, the affected user, the address and the details. */
function storyOf({ view, actor, actedBy, subject }: NamedEntry): string {
  const target = subject === undefined || subject === actor ? '' : ` → ${subject}`;
  const author = actedBy === undefined ? actor : `${actedBy} as ${actor}`;
  return [`${author}${target}`, view.ipAddress ?? '', ...detailsOf(view)]
    .filter((text) => text !== '')
    .join(GAP);
}

const detailsOf = ({ details, companyId }: AuditEntryView): string[] => [
  ...Object.entries(details).map(([name, value]) => `${name}=${inShort(value)}`),
  ...(companyId === null ? [] : [`company=${companyId}`]),
];

const inShort = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
