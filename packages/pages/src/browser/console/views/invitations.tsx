import type { JSX } from 'preact';
import { nameMessages as names } from '../../../messages/en/console/names.js';
import { invitationMessages as messages } from '../../../messages/en/console/operations.js';
import { client } from '../../client.js';
import { companyRoleText, numberText } from '../format.js';
import { CompanyName } from '../parts/company-name.js';
import { Email } from '../parts/email.js';
import { ExportButton } from '../parts/export-button.js';
import { ChoiceFilter, Filters, TextFilter, useChoice } from '../parts/filters.js';
import { Pager, usePageNumber, View } from '../parts/layout.js';
import { Link } from '../parts/link.js';
import { Pill } from '../parts/pill.js';
import { Records, type Column } from '../parts/records.js';
import { Empty, Loaded } from '../parts/states.js';
import { Ago } from '../parts/time.js';
import { UUID } from '../patterns.js';
import { confirmed } from '../perform.js';
import { hrefOf, usePlace } from '../router.js';
import type { Invitation } from '../types.js';
import { defined, keyOf, useQuery } from '../use-query.js';

/** An email address, roughly; the service decides. */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

const INVITATION_TONES = { PENDING: 'warn', ACCEPTED: 'good', CANCELLED: 'calm', EXPIRED: 'calm' } as const;

const InvitationPill = ({ status }: Pick<Invitation, 'status'>): JSX.Element => (
  <Pill tone={INVITATION_TONES[status]} text={names.invitation[status]} />
);

const PAGE_SIZE = 25;
const EXPORTED = ['id', 'email', 'companyId', 'role', 'status', 'createdAt', 'expiresAt'] as const;

/** The invitations of all companies. */
export function InvitationsView(): JSX.Element {
  const { query } = usePlace();
  const page = usePageNumber();
  const filter = useFilter();
  const shown = { ...filter, limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE };
  const invitations = useQuery(keyOf(shown), (signal) =>
    client.request('GET', '/internal/invitations', { query: shown, signal }),
  );
  const columns = columnsOf(invitations.reload);
  const isFiltered = ['email', 'status', 'company'].some((name) => query.has(name));
  const lead = invitations.total === undefined ? ' ' : messages.total(numberText(invitations.total));
  return (
    <View
      title={messages.title}
      lead={lead}
      actions={
        <ExportButton
          name="invitations"
          fields={EXPORTED}
          read={(slice, signal) =>
            client.request('GET', '/internal/invitations', { query: { ...filter, ...slice }, signal })
          }
        />
      }
    >
      <Filters names={['email', 'status', 'company']}>
        <TextFilter name="email" label={messages.email} type="search" isSearch pattern={EMAIL} />
        <ChoiceFilter name="status" label={messages.status} options={names.invitation} />
        <TextFilter name="company" label={messages.companyHint} pattern={UUID} />
      </Filters>
      <Loaded query={invitations} rows={8}>
        {(items) =>
          items.length === 0 ? (
            <Empty
              title={isFiltered ? messages.empty : messages.none}
              hint={isFiltered ? messages.emptyFilterHint : messages.emptyHint}
              icon="invitations"
            />
          ) : (
            <Records label={messages.title} kind="invitations" items={items} columns={columns} />
          )
        }
      </Loaded>
      <Pager total={invitations.total} pageSize={PAGE_SIZE} />
    </View>
  );
}

/** Returns the filters that are set. */
function useFilter() {
  const { query } = usePlace();
  return defined({
    email: query.get('email') ?? undefined,
    status: useChoice('status', names.invitation),
    companyId: query.get('company') ?? undefined,
  });
}

const columnsOf = (reload: () => void): Column<Invitation>[] => [
  {
    heading: messages.columns.email,
    cell: ({ email }) => (
      <span class="record-name" tabIndex={-1} data-main="">
        <Email text={email} />
      </span>
    ),
  },
  { heading: messages.columns.status, cell: ({ status }) => <InvitationPill status={status} /> },
  {
    heading: messages.columns.company,
    cell: ({ companyId }) => (
      <Link href={hrefOf(`companies/${companyId}`)}>
        <CompanyName id={companyId} />
      </Link>
    ),
  },
  { heading: messages.columns.role, cell: ({ role }) => companyRoleText(role), isMinor: true },
  {
    heading: messages.columns.expires,
    cell: ({ status, expiresAt }) =>
      status === 'PENDING' || status === 'EXPIRED' ? <Ago at={expiresAt} /> : '–',
    isMinor: true,
  },
  {
    heading: '',
    cell: (invitation) =>
      invitation.status === 'PENDING' && <InvitationButtons invitation={invitation} reload={reload} />,
  },
];

/** Pending invitations can be sent again and cancelled. */
function InvitationButtons({
  invitation,
  reload,
}: {
  invitation: Invitation;
  reload: () => void;
}): JSX.Element {
  const { email } = invitation;
  const run = (action: typeof resend): void =>
    void action(invitation).then((isDone) => {
      if (isDone) reload();
    });
  return (
    <span class="row-buttons">
      <button
        type="button"
        class="button secondary small"
        aria-label={messages.resendLabel(email)}
        onClick={() => run(resend)}
      >
        {messages.resend}
      </button>
      <button
        type="button"
        class="button secondary small"
        aria-label={messages.cancelLabel(email)}
        onClick={() => run(cancel)}
      >
        {messages.cancelShort}
      </button>
    </span>
  );
}

const resend = ({ id, companyId, email }: Invitation): Promise<boolean> =>
  confirmed(
    { title: messages.resendTitle(email), text: messages.resendText, confirm: messages.resend },
    () => client.invitations.resend(companyId, id),
    messages.resent,
  );

const cancel = ({ id, companyId, email }: Invitation): Promise<boolean> =>
  confirmed(
    {
      title: messages.cancelTitle(email),
      text: messages.cancelText,
      confirm: messages.cancel,
      cancel: messages.keep,
      isDanger: true,
    },
    () => client.invitations.cancel(companyId, id),
    messages.cancelled,
  );
