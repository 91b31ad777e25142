import type { JSX } from 'preact';
import type { RequestInput } from '@latchkey/client';
import { mailKindMessages as kinds, nameMessages as names } from '../../../messages/en/console/names.js';
import { mailMessages as messages } from '../../../messages/en/console/operations.js';
import { client } from '../../client.js';
import { agoText, numberText, wordsOf } from '../format.js';
import { Email } from '../parts/email.js';
import { ExportButton } from '../parts/export-button.js';
import { ChoiceFilter, Filters, TextFilter, useChoice } from '../parts/filters.js';
import { Pager, usePageNumber, View } from '../parts/layout.js';
import { Pill } from '../parts/pill.js';
import { Records, type Column } from '../parts/records.js';
import { Empty, Loaded } from '../parts/states.js';
import { Ago } from '../parts/time.js';
import { confirmed } from '../perform.js';
import { usePlace } from '../router.js';
import type { OutboxMail } from '../types.js';
import { defined, keyOf, useQuery } from '../use-query.js';

type MailQuery = NonNullable<RequestInput<'GET', '/internal/mail'>['query']>;

const MAIL_TONES = {
  waiting: 'calm',
  retrying: 'warn',
  failed: 'bad',
  sent: 'good',
  skipped: 'calm',
} as const;

const MailPill = ({ state }: Pick<OutboxMail, 'state'>): JSX.Element => (
  <Pill tone={MAIL_TONES[state]} text={names.mailState[state]} />
);

const PAGE_SIZE = 25;
const EXPORTED = [
  'id',
  'kind',
  'recipient',
  'state',
  'attempts',
  'lastError',
  'createdAt',
  'sentAt',
] as const;
const OPEN_STATES: readonly OutboxMail['state'][] = ['waiting', 'retrying', 'failed'];

/** The outbox: what was sent, what waits, what failed and why. */
export function MailView(): JSX.Element {
  const { query } = usePlace();
  const page = usePageNumber();
  const kind = useChoice('kind', kinds) as MailQuery['kind'];
  const filter = defined({
    to: query.get('to') ?? undefined,
    state: useChoice('state', names.mailState),
    kind,
  });
  const shown = { ...filter, limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE };
  const mails = useQuery(keyOf(shown), (signal) =>
    client.request('GET', '/internal/mail', { query: shown, signal }),
  );
  const columns = columnsOf(mails.reload);
  return (
    <View
      title={messages.title}
      lead={messages.lead}
      actions={
        <ExportButton
          name="mails"
          fields={EXPORTED}
          read={(slice, signal) =>
            client.request('GET', '/internal/mail', { query: { ...filter, ...slice }, signal })
          }
        />
      }
    >
      <Filters names={['to', 'state', 'kind']}>
        <TextFilter name="to" label={messages.to} type="search" isSearch />
        <ChoiceFilter name="state" label={messages.state} options={names.mailState} />
        <ChoiceFilter name="kind" label={messages.kind} options={kinds} />
      </Filters>
      <Loaded query={mails} rows={8}>
        {(items) =>
          items.length === 0 ? (
            <Empty title={messages.empty} hint={messages.emptyHint} icon="mail" />
          ) : (
            <Records label={messages.title} kind="mails" items={items} columns={columns} />
          )
        }
      </Loaded>
      <Pager total={mails.total} pageSize={PAGE_SIZE} />
    </View>
  );
}

const columnsOf = (reload: () => void): Column<OutboxMail>[] => [
  {
    heading: messages.columns.to,
    cell: ({ recipient, lastError }) => (
      <span class="stacked">
        <span class="record-name" tabIndex={-1} data-main="">
          <Email text={recipient} />
        </span>
        {lastError !== null && <span class="mail-error">{lastError}</span>}
      </span>
    ),
  },
  { heading: messages.columns.kind, cell: (mail) => kinds[mail.kind] ?? wordsOf(mail.kind) },
  { heading: messages.columns.state, cell: ({ state }) => <MailPill state={state} /> },
  { heading: messages.columns.attempts, cell: ({ attempts }) => numberText(attempts), isMinor: true },
  {
    heading: messages.columns.queued,
    cell: ({ createdAt, sentAt, nextAttemptAt }) => (
      <span class="stacked">
        <Ago at={createdAt} />
        {sentAt !== null && <span class="quiet">{messages.sent(agoText(sentAt))}</span>}
        {nextAttemptAt !== null && <span class="quiet">{messages.next(agoText(nextAttemptAt))}</span>}
      </span>
    ),
  },
  {
    heading: '',
    cell: (mail) =>
      OPEN_STATES.includes(mail.state) && (
        <button
          type="button"
          class="button secondary small"
          aria-label={messages.retryLabel(mail.recipient)}
          onClick={() => void retry(mail).then((isDone) => isDone && reload())}
        >
          {messages.retry}
        </button>
      ),
  },
];

const retry = ({ id, recipient }: OutboxMail): Promise<boolean> =>
  confirmed(
    { title: messages.retryTitle, text: messages.retryText(recipient), confirm: messages.retry },
    () => client.request('POST', '/internal/mail/{id}/retry', { path: { id } }),
    messages.retried,
  );
