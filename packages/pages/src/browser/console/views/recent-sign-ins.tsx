import type { JSX } from 'preact';
import { overviewMessages as messages } from '../../../messages/en/console/operations.js';
import { client } from '../../client.js';
import { actorText, factText } from '../audit-text.js';
import { programOf } from '../device.js';
import { numberText } from '../format.js';
import { UserId } from '../parts/audit-entry.js';
import { Panel } from '../parts/layout.js';
import { Link } from '../parts/link.js';
import { OutcomePill } from '../parts/pill.js';
import { Loaded } from '../parts/states.js';
import { Ago } from '../parts/time.js';
import { hrefOf } from '../router.js';
import type { AuditEntry } from '../types.js';
import { useQuery } from '../use-query.js';

/** Entries that are read, so that an attack leaves some others, and lines that are shown. */
const [READ, SHOWN] = [50, 6];

/** Returns entries in groups, newest first: failures of one IP address are one group. */
function grouped(entries: readonly AuditEntry[]): [AuditEntry, ...AuditEntry[]][] {
  const groups: [AuditEntry, ...AuditEntry[]][] = [];
  const ofAddress = new Map<string, AuditEntry[]>();
  for (const entry of entries) {
    const address = entry.outcome === 'failure' ? entry.ipAddress : null;
    const group = address === null ? undefined : ofAddress.get(address);
    if (group) {
      group.push(entry);
      continue;
    }
    const begun: [AuditEntry, ...AuditEntry[]] = [entry];
    groups.push(begun);
    if (address !== null) ofAddress.set(address, begun);
  }
  return groups;
}

/** The newest sign-ins. */
export function RecentSignIns(): JSX.Element {
  const entries = useQuery('sign-ins', (signal) =>
    client.request('GET', '/internal/audit-logs', { query: { event: 'login', limit: READ }, signal }),
  );
  return (
    <Panel
      title={messages.signIns}
      aside={<Link href={hrefOf('audit', { event: 'login' })}>{messages.allSignIns}</Link>}
    >
      <Loaded query={entries} rows={SHOWN}>
        {(items) =>
          items.length === 0 ? (
            <p class="quiet box-text">{messages.noSignIns}</p>
          ) : (
            <ul class="lines">
              {grouped(items)
                .slice(0, SHOWN)
                .map((group) => (
                  <SignIns key={group[0].id} group={group} />
                ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}

const SignIns = ({ group: [entry, ...more] }: { group: [AuditEntry, ...AuditEntry[]] }): JSX.Element => (
  <li>
    <span class="line-text">
      {more.length > 0 ? (
        <span>{messages.failuresFrom(numberText(more.length + 1), entry.ipAddress ?? '')}</span>
      ) : (
        <OneSignIn entry={entry} />
      )}
    </span>
    <OutcomePill outcome={entry.outcome} />
    <span class="quiet when">
      <Ago at={entry.occurredAt} />
    </span>
  </li>
);

const OneSignIn = ({ entry }: { entry: AuditEntry }): JSX.Element => (
  <>
    {entry.subjectUserId === null ? (
      <span>{actorText(entry.actor)}</span>
    ) : (
      <UserId id={entry.subjectUserId} />
    )}
    <span class="quiet">
      {[factText(entry), programOf(entry.userAgent), entry.ipAddress].filter(Boolean).join(' · ')}
    </span>
  </>
);
