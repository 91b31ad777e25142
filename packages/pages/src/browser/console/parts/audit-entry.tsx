import type { JSX } from 'preact';
import {
  auditMessages as messages,
  companyMessages as company,
} from '../../../messages/en/console/operations.js';
import { shellMessages as shell } from '../../../messages/en/console/shell.js';
import { actorText, originText } from '../audit-text.js';
import { exactText, shortId, wordsOf } from '../format.js';
import { hrefOf } from '../router.js';
import { useMe } from '../session-context.js';
import type { AuditEntry } from '../types.js';
import { useUserName } from '../user-names.js';
import { CompanyName } from './company-name.js';
import { CopyButton } from './copy-id.js';
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

/** A company in the audit log. */
const CompanyId = ({ id }: { id: string }): JSX.Element => (
  <Link href={hrefOf(`companies/${id}`)}>
    <CompanyName id={id} />
  </Link>
);

/** The actor of an entry: a user, or the name of a machine or an operator. */
export const Actor = ({ entry }: { entry: AuditEntry }): JSX.Element =>
  entry.actorUserId === null ? <span>{actorText(entry.actor)}</span> : <UserId id={entry.actorUserId} />;

/** Everything that the log keeps of an entry, to be copied as a whole too. */
export function EntryDetails({ entry }: { entry: AuditEntry }): JSX.Element {
  return (
    <div class="entry-details">
      <Facts facts={factsOf(entry)} />
      <CopyButton text={JSON.stringify(entry, null, 2)}>{messages.copyJson}</CopyButton>
    </div>
  );
}

type Fact = readonly [name: string, value: JSX.Element | string];

function factsOf(entry: AuditEntry): Fact[] {
  const { details, ipAddress, userAgent, requestId, companyId, sessionId, subjectUserId } = entry;
  const ids = [
    [messages.user, subjectUserId],
    [messages.session, sessionId],
    [messages.columns.address, ipAddress],
    [messages.agent, userAgent],
    [messages.request, requestId],
  ] as const;
  return [
    [messages.columns.time, <time dateTime={entry.occurredAt}>{exactText(entry.occurredAt)}</time>],
    [messages.columns.actor, <Actor entry={entry} />],
    ...(companyId === null ? [] : [[company.company, <CompanyId id={companyId} />] as const]),
    ...ids.flatMap(([name, value]) =>
      value === null ? [] : [[name, <Copied name={name} text={value} />] as const],
    ),
    ...Object.entries(details).map(([name, value]) => detailOf(name, value)),
  ];
}

/** Returns a detail: the way of a sign-in in words, others under the name that the log gives them. */
function detailOf(name: string, value: unknown): Fact {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (name === 'method') return [messages.method, originText(text)];
  return [wordsOf(name), <span class="code">{text}</span>];
}

const Copied = ({ name, text }: { name: string; text: string }): JSX.Element => (
  <span class="copy-id">
    <span class="code">{text}</span>
    <CopyButton text={text} label={messages.copyLabel(name)}>
      {shell.copy}
    </CopyButton>
  </span>
);
