import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { RequestInput, Schemas } from '@latchkey/client';
import { activityMessages as messages } from '../../messages/en/company.js';
import { nameMessages as names } from '../../messages/en/console/names.js';
import { client } from '../client.js';
import { eventText } from '../console/audit-text.js';
import { defined, keyOf } from '../console/use-query.js';
import { Button } from '../ui/button.js';
import { Notice } from '../ui/notice.js';
import { List, Row, Section } from '../ui/section.js';
import { RelativeTime } from '../ui/time.js';
import { isRefusal, useCompany, useCompanyQuery } from './company.js';
import { Choice, Listed } from './parts.js';
import { companyFailureText } from './texts.js';

type Entry = Schemas['CompanyAuditEntry'];
type Filter = NonNullable<RequestInput<'GET', '/internal/companies/{companyId}/audit-logs'>['query']>;

const SLICE = 30;
const OUTCOMES = ['success', 'failure', 'denied'] as const;

/** The audit log of the company, newest first. */
export function ActivityView(): VNode {
  const { company } = useCompany();
  const [outcome, setOutcome] = useState('');
  const filter: Filter = defined({ outcome: OUTCOMES.find((each) => each === outcome), limit: SLICE });
  const [next, setNext] = useState<string>();
  const newest = useCompanyQuery(keyOf(company.id, filter), async () => {
    const result = await client.companies.activity(company.id, filter);
    if (result.ok) setNext(cursorOf(result.response));
    return result;
  });
  const older = useOlder(filter, newest.data);
  return (
    <Section
      title={messages.title}
      lead={messages.lead}
      actions={
        <>
          <Button onPress={newest.reload}>{messages.refresh}</Button>
          {(older.next ?? (older.isAtStart ? next : undefined)) !== undefined && (
            <Button onPress={() => older.load(older.next ?? next)}>{messages.older}</Button>
          )}
        </>
      }
    >
      <OutcomeFilter value={outcome} onChange={setOutcome} />
      <Listed query={newest} empty={messages.none}>
        {(items) => (
          <List label={messages.title}>
            {[...items, ...older.entries].map((entry) => (
              <EntryRow key={entry.id} entry={entry} />
            ))}
          </List>
        )}
      </Listed>
      {older.failure !== '' && (
        <div class="panel-body">
          <Notice>{older.failure}</Notice>
        </div>
      )}
    </Section>
  );
}

interface OutcomeFilterProps {
  value: string;
  onChange: (outcome: string) => void;
}

const OutcomeFilter = ({ value, onChange }: OutcomeFilterProps): VNode => (
  <div class="filters">
    <Choice
      label={messages.outcome}
      value={value}
      options={[['', messages.anyOutcome], ...OUTCOMES.map((each) => [each, names.outcome[each]] as const)]}
      onChange={onChange}
    />
  </div>
);

const cursorOf = (response: Response): string | undefined =>
  response.headers.get('x-next-cursor') ?? undefined;

/** Older entries below the newest ones; they are forgotten when those are loaded again. */
function useOlder(filter: Filter, newest: readonly Entry[] | undefined) {
  const { company, recheck } = useCompany();
  const [pages, setPages] = useState<{ entries: Entry[]; next: string | undefined }>();
  const [failure, setFailure] = useState('');
  useEffect(() => setPages(undefined), [newest]);
  const load = async (cursor: string | undefined): Promise<void> => {
    if (cursor === undefined) return;
    const { data, error, response } = await client.companies.activity(company.id, { ...filter, cursor });
    setFailure(error ? companyFailureText(error) : '');
    if (error && isRefusal(error)) recheck();
    if (data) {
      const next = cursorOf(response);
      setPages((before) => ({ entries: [...(before?.entries ?? []), ...data], next }));
    }
  };
  return { entries: pages?.entries ?? [], next: pages?.next, isAtStart: !pages, failure, load };
}

function EntryRow({ entry }: { entry: Entry }): VNode {
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
function actorOf({ actor, actorName, actorUserId, actedByUserId, actedByName }: Entry): string {
  if (actedByUserId !== null || actedByName !== null)
    return messages.onBehalf(actorName ?? messages.outsider);
  if (actorName !== null) return actorName;
  if (actorUserId !== null) return messages.outsider;
  if (actor.startsWith('machine')) return messages.service;
  return actor.startsWith('cli') ? messages.operator : messages.unknown;
}
