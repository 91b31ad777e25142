import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { shellMessages as shell } from '../../../messages/en/console/shell.js';
import { userMessages as messages } from '../../../messages/en/console/users.js';
import { client } from '../../client.js';
import { eventText, factText } from '../audit-text.js';
import { programOf } from '../device.js';
import { Actor } from '../parts/audit-entry.js';
import { CompanyName } from '../parts/company-name.js';
import { Panel } from '../parts/layout.js';
import { Link } from '../parts/link.js';
import { OutcomePill } from '../parts/pill.js';
import { Loaded } from '../parts/states.js';
import { Ago } from '../parts/time.js';
import { hrefOf } from '../router.js';
import type { AuditEntry } from '../types.js';
import { keyOf, useQuery } from '../use-query.js';

const PAGE_SIZE = 15;

/** What a user did and what was done to them, from the audit log, with the reason of every end of a session. */
export function Timeline({ userId, revision }: { userId: string; revision: number }): JSX.Element {
  const [cursor, setCursor] = useState<string>();
  const [earlier, setEarlier] = useState<readonly AuditEntry[]>([]);
  const [next, setNext] = useState<string>();
  useEffect(() => {
    setCursor(undefined);
    setEarlier([]);
  }, [userId, revision]);
  const page = useQuery(keyOf(userId, revision, cursor), async (signal) => {
    const query = { userId, limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) };
    const outcome = await client.request('GET', '/internal/audit-logs', { query, signal });
    if (outcome.ok) setNext(outcome.response.headers.get('x-next-cursor') ?? undefined);
    return outcome;
  });
  const showOlder = (): void => {
    setEarlier([...earlier, ...(page.data ?? [])]);
    setCursor(next);
  };
  return (
    <Panel title={messages.timeline}>
      <Loaded query={page}>
        {(entries) =>
          entries.length + earlier.length === 0 ? (
            <p class="quiet box-text">{messages.noTimeline}</p>
          ) : (
            <ol class="timeline">
              {(page.isLoading ? earlier : [...earlier, ...entries]).map((entry) => (
                <TimelineEntry key={entry.id} entry={entry} userId={userId} />
              ))}
            </ol>
          )
        }
      </Loaded>
      {next !== undefined && !page.isLoading && (
        <button type="button" class="button quiet" onClick={showOlder}>
          {shell.older}
        </button>
      )}
    </Panel>
  );
}

function TimelineEntry({ entry, userId }: { entry: AuditEntry; userId: string }): JSX.Element {
  const isOwn = entry.actorUserId === userId && (entry.subjectUserId ?? userId) === userId;
  const facts = [factText(entry), programOf(entry.userAgent), entry.ipAddress].filter(Boolean).join(' · ');
  return (
    <li class={`timeline-entry ${entry.outcome}`}>
      <div class="timeline-head">
        <strong>{eventText(entry.event)}</strong>
        {entry.outcome !== 'success' && <OutcomePill outcome={entry.outcome} />}
        <span class="quiet">
          <Ago at={entry.occurredAt} />
        </span>
      </div>
      <p class="quiet">
        {facts}
        {entry.companyId !== null && (
          <>
            {facts !== '' && ' · '}
            <Link href={hrefOf(`companies/${entry.companyId}`)}>
              <CompanyName id={entry.companyId} />
            </Link>
          </>
        )}
        {!isOwn && (
          <>
            {(facts !== '' || entry.companyId !== null) && ' · '}
            <Actor entry={entry} />
          </>
        )}
      </p>
    </li>
  );
}
