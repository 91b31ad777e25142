import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Schemas } from '@latchkey/client';
import { activityMessages as messages } from '../../messages/en/company.js';
import { nameMessages as names } from '../../messages/en/console/names.js';
import { client } from '../client.js';
import { useAuditFeed } from '../console/audit-feed.js';
import { eventText } from '../console/audit-text.js';
import { defined, keyOf } from '../console/use-query.js';
import { Button } from '../ui/button.js';
import { LiveSwitch } from '../ui/live-switch.js';
import { LoadState } from '../ui/load-state.js';
import { Notice } from '../ui/notice.js';
import { List, Row, Section } from '../ui/section.js';
import { RelativeTime } from '../ui/time.js';
import { isRefusal, useCompany } from './company.js';
import { Choice, loadedOf } from './parts.js';
import { companyFailureText } from './texts.js';

const OUTCOMES = ['success', 'failure', 'denied'] as const;

/** The audit log of the company, newest first, followed while it is live. */
export function ActivityView(): VNode {
  const [outcome, setOutcome] = useState('');
  const [isLive, setLive] = useState(false);
  const feed = useActivity(outcome, isLive);
  return (
    <Section
      title={messages.title}
      lead={messages.lead}
      actions={
        <>
          <Button onPress={feed.reload}>{messages.refresh}</Button>
          {feed.loadOlder && <Button onPress={feed.loadOlder}>{messages.older}</Button>}
        </>
      }
    >
      <div class="filters">
        <OutcomeFilter value={outcome} onChange={setOutcome} />
        <LiveSwitch isLive={isLive} isCutOff={feed.isCutOff} onChange={setLive} />
      </div>
      <Entries feed={feed} />
    </Section>
  );
}

/** Reads the entries with an outcome. A refusal reads the rights again, which may end the view. */
function useActivity(chosen: string, isLive: boolean) {
  const { company, recheck } = useCompany();
  const filter = defined({ outcome: OUTCOMES.find((each) => each === chosen) });
  return useAuditFeed(
    keyOf(company.id, filter),
    async (page, signal) => {
      const result = await client.request('GET', '/internal/companies/{companyId}/audit-logs', {
        path: { companyId: company.id },
        query: { ...filter, ...page },
        ...(signal && { signal }),
      });
      if (!result.ok && isRefusal(result.error)) recheck();
      return result;
    },
    isLive,
  );
}

/** The entries, or the reason that there are none. A failure below entries is that of older ones. */
function Entries({ feed }: { feed: ReturnType<typeof useActivity> }): VNode {
  const { entries, failure, reload } = feed;
  if (!entries) return <LoadState loaded={loadedOf({ data: entries, failure, reload })} />;
  return (
    <>
      {entries.length === 0 && <p class="empty">{messages.none}</p>}
      <List label={messages.title}>
        {entries.map((entry) => (
          <EntryRow key={entry.id} entry={entry} />
        ))}
      </List>
      {failure && (
        <div class="panel-body">
          <Notice>{companyFailureText(failure)}</Notice>
        </div>
      )}
    </>
  );
}

const OutcomeFilter = ({
  value,
  onChange,
}: {
  value: string;
  onChange: (outcome: string) => void;
}): VNode => (
  <Choice
    label={messages.outcome}
    value={value}
    options={[['', messages.anyOutcome], ...OUTCOMES.map((each) => [each, names.outcome[each]] as const)]}
    onChange={onChange}
  />
);

function EntryRow({ entry }: { entry: Schemas['CompanyAuditEntry'] }): VNode {
  const { event, outcome, occurredAt, subjectName, actorUserId, subjectUserId, ipAddress } = entry;
  return (
    <Row
      title={eventText(event)}
      badge={outcome === 'success' ? undefined : names.outcome[outcome]}
      details={[
        messages.by(actorOf(entry)),
        subjectName !== null && subjectUserId !== actorUserId && messages.about(subjectName),
        <>
          <RelativeTime at={occurredAt} />
          {ipAddress !== null && ` · ${ipAddress}`}
        </>,
      ]}
    />
  );
}

/** Returns who did it, as far as administrators of a company learn. */
function actorOf({
  actor,
  actorName,
  actorUserId,
  actedByUserId,
  actedByName,
}: Schemas['CompanyAuditEntry']): string {
  if (actedByUserId !== null || actedByName !== null)
    return messages.onBehalf(actorName ?? messages.outsider);
  if (actorName !== null) return actorName;
  if (actorUserId !== null) return messages.outsider;
  if (actor.startsWith('machine')) return messages.service;
  return actor.startsWith('cli') ? messages.operator : messages.unknown;
}
