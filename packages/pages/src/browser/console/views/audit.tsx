import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RequestInput } from '@latchkey/client';
import { eventMessages as events, nameMessages as names } from '../../../messages/en/console/names.js';
import { auditMessages as messages } from '../../../messages/en/console/operations.js';
import { shellMessages as shell } from '../../../messages/en/console/shell.js';
import { client } from '../../client.js';
import { LiveSwitch } from '../../ui/live-switch.js';
import { useAuditFeed } from '../audit-feed.js';
import { eventText, factText } from '../audit-text.js';
import { exactText } from '../format.js';
import { Actor, EntryDetails, UserId } from '../parts/audit-entry.js';
import { ChoiceFilter, Filters, TextFilter, useChoice } from '../parts/filters.js';
import { View } from '../parts/layout.js';
import { OutcomePill } from '../parts/pill.js';
import { Empty, Loaded } from '../parts/states.js';
import { NETWORK, UUID } from '../patterns.js';
import { setQuery, usePlace } from '../router.js';
import { useRowKeys } from '../rows.js';
import type { AuditEntry } from '../types.js';
import { defined, keyOf } from '../use-query.js';

type AuditQuery = NonNullable<RequestInput<'GET', '/internal/audit-logs'>['query']>;

const FILTERS = ['event', 'outcome', 'user', 'company', 'session', 'address', 'from', 'to'] as const;

/** The audit log: filtered, and followed as it grows. */
export function AuditView(): JSX.Element {
  const { query } = usePlace();
  const isLive = query.get('live') === '1';
  const feed = useAudit(isLive);
  useRowKeys();
  return (
    <View
      title={messages.title}
      lead={messages.lead}
      actions={
        <LiveSwitch
          isLive={isLive}
          isCutOff={feed.isCutOff}
          onChange={(live) => setQuery({ live: live ? '1' : undefined })}
        />
      }
    >
      <AuditFilters />
      <Loaded
        query={{
          data: feed.entries,
          total: undefined,
          failure: feed.failure,
          isLoading: false,
          reload: feed.reload,
        }}
        rows={10}
      >
        {(entries) =>
          entries.length === 0 ? (
            <Empty title={messages.empty} hint={messages.emptyHint} icon="audit" />
          ) : (
            <Entries entries={entries} />
          )
        }
      </Loaded>
      {feed.loadOlder && (
        <button type="button" class="button secondary older" onClick={feed.loadOlder}>
          {shell.older}
        </button>
      )}
    </View>
  );
}

function useAudit(isLive: boolean) {
  const filter = useAuditFilter();
  return useAuditFeed(
    keyOf(filter),
    (page, signal) =>
      client.request('GET', '/internal/audit-logs', {
        query: { ...filter, ...page },
        ...(signal && { signal }),
      }),
    isLive,
  );
}

function useAuditFilter(): Omit<AuditQuery, 'limit' | 'cursor' | 'tail'> {
  const { query } = usePlace();
  const event = useChoice('event', events) as AuditQuery['event'];
  return defined({
    event,
    outcome: useChoice('outcome', names.outcome),
    userId: query.get('user') ?? undefined,
    companyId: query.get('company') ?? undefined,
    sessionId: query.get('session') ?? undefined,
    ipAddress: query.get('address') ?? undefined,
    from: instantOf(query.get('from')),
    to: instantOf(query.get('to')),
  });
}

/** Returns the instant of a local time, as its field has it. */
function instantOf(local: string | null): string | undefined {
  if (local === null) return undefined;
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

function AuditFilters(): JSX.Element {
  const { query } = usePlace();
  const [isOpen, setOpen] = useState(
    ['company', 'session', 'address', 'from', 'to'].some((name) => query.has(name)),
  );
  return (
    <Filters names={FILTERS}>
      <ChoiceFilter name="event" label={messages.event} options={events} />
      <ChoiceFilter name="outcome" label={messages.outcome} options={names.outcome} />
      <TextFilter name="user" label={messages.user} pattern={UUID} isKeyed />
      {isOpen ? (
        <>
          <TextFilter name="company" label={messages.company} pattern={UUID} />
          <TextFilter name="session" label={messages.session} pattern={UUID} />
          <TextFilter name="address" label={messages.address} pattern={NETWORK} />
          <TextFilter name="from" label={messages.from} type="datetime-local" />
          <TextFilter name="to" label={messages.to} type="datetime-local" />
        </>
      ) : (
        <button type="button" class="button quiet" onClick={() => setOpen(true)}>
          {messages.more}
        </button>
      )}
    </Filters>
  );
}

const Entries = ({ entries }: { entries: readonly AuditEntry[] }): JSX.Element => (
  <div class="records audit">
    <div class="record-head" aria-hidden="true">
      <span>{messages.columns.event}</span>
      <span>{messages.outcome}</span>
      <span class="minor">{messages.columns.actor}</span>
      <span class="minor">{messages.columns.subject}</span>
      <span>{messages.columns.time}</span>
    </div>
    <ul aria-label={messages.title}>
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} />
      ))}
    </ul>
  </div>
);

function Entry({ entry }: { entry: AuditEntry }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const fact = factText(entry);
  return (
    <li class="record-group" data-record={entry.id}>
      <div class="record">
        <div class="cell">
          <button
            type="button"
            class="record-name disclosure"
            data-main=""
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {eventText(entry.event)}
            {fact !== undefined && <span class="quiet"> · {fact}</span>}
          </button>
        </div>
        <div class="cell">
          <OutcomePill outcome={entry.outcome} />
        </div>
        <div class="cell minor">
          <span class="cell-name">{messages.columns.actor}</span>
          <Actor entry={entry} />
        </div>
        <div class="cell minor">
          <span class="cell-name">{messages.columns.subject}</span>
          {entry.subjectUserId === null ? <span class="quiet">–</span> : <UserId id={entry.subjectUserId} />}
        </div>
        <div class="cell">
          <time dateTime={entry.occurredAt} class="quiet">
            {exactText(entry.occurredAt)}
          </time>
        </div>
      </div>
      {isOpen && <EntryDetails entry={entry} />}
    </li>
  );
}
