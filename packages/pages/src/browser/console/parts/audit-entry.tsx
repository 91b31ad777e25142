import type { JSX } from 'preact';
import { auditMessages as messages } from '../../../messages/en/console/operations.js';
import { shellMessages as shell } from '../../../messages/en/console/shell.js';
import { actorText } from '../audit-text.js';
import { exactText, shortId } from '../format.js';
import { hrefOf } from '../router.js';
import { useMe } from '../session-context.js';
import type { AuditEntry } from '../types.js';
import { useUserName } from '../user-names.js';
import { Facts } from './layout.js';
import { Link } from './link.js';

/** A user in the audit log, which has ids only. */
export function UserId({ id }: { id: string }): JSX.Element {
  const me = useMe();
  const name = useUserName(id);
  const isNamed = id === me.id || name !== undefined;
  return (
    <Link href={hrefOf(`users/${id}`)} class={isNamed ? 'user-id' : 'user-id code'}>
      {id === me.id ? shell.you : (name ?? shortId(id))}
    </Link>
  );
}

/** The actor of an entry: a user, or the name of a machine or an operator. */
export const Actor = ({ entry }: { entry: AuditEntry }): JSX.Element =>
  entry.actorUserId === null ? <span>{actorText(entry.actor)}</span> : <UserId id={entry.actorUserId} />;

/** Everything that the log keeps of an entry. */
export function EntryDetails({ entry }: { entry: AuditEntry }): JSX.Element {
  const { details, ipAddress, userAgent, requestId, companyId, sessionId, subjectUserId } = entry;
  const facts: (readonly [string, JSX.Element | string])[] = [
    [messages.columns.time, <time dateTime={entry.occurredAt}>{exactText(entry.occurredAt)}</time>],
    [messages.columns.actor, <Actor entry={entry} />],
  ];
  const ids = [
    [messages.user, subjectUserId],
    [messages.company, companyId],
    [messages.session, sessionId],
    [messages.columns.address, ipAddress],
    [messages.agent, userAgent],
    [messages.request, requestId],
  ] as const;
  for (const [name, value] of ids) {
    if (value !== null) facts.push([name, <span class="code">{value}</span>]);
  }
  for (const [name, value] of Object.entries(details)) {
    facts.push([name, <span class="code">{typeof value === 'string' ? value : JSON.stringify(value)}</span>]);
  }
  return <Facts facts={facts} />;
}
