import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { nameMessages as names } from '../../../messages/en/console/names.js';
import { companyMessages as messages } from '../../../messages/en/console/operations.js';
import { client } from '../../client.js';
import { dateText, numberText, shortId } from '../format.js';
import { CopyId } from '../parts/copy-id.js';
import { Email } from '../parts/email.js';
import { Icon } from '../parts/icons.js';
import { Pager, usePageNumber, View } from '../parts/layout.js';
import { Link } from '../parts/link.js';
import { Avatar, Pill } from '../parts/pill.js';
import { Records, type Column } from '../parts/records.js';
import { Empty, Loaded } from '../parts/states.js';
import { rememberCompany } from '../recent-companies.js';
import { hrefOf } from '../router.js';
import { useRights } from '../session-context.js';
import type { CompanyUser } from '../types.js';
import { keyOf, useQuery } from '../use-query.js';

const PAGE_SIZE = 25;
const MOST_MODULES = 3;

/** The active members of one company. */
export function CompanyView({ companyId }: { companyId: string }): JSX.Element {
  const { may } = useRights();
  const page = usePageNumber();
  const members = useQuery(keyOf(companyId, page), (signal) =>
    client.request('GET', '/internal/companies/{companyId}/users', {
      path: { companyId },
      query: { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE },
      signal,
    }),
  );
  useEffect(() => {
    if (members.data) rememberCompany(companyId);
  }, [members.data]);
  return (
    <>
      <p class="crumb">
        <Link href={hrefOf('companies')}>
          <Icon name="back" /> {messages.title}
        </Link>
      </p>
      <View
        title={<span class="code">{shortId(companyId)}</span>}
        lead={<CopyId id={companyId} />}
        actions={
          may('operate') && (
            <Link href={hrefOf('invitations', { company: companyId })} class="button secondary">
              {messages.invitations}
            </Link>
          )
        }
      >
        <Loaded query={members}>
          {(items) =>
            items.length === 0 ? (
              <Empty title={messages.empty} hint={messages.emptyHint} icon="companies" />
            ) : (
              <>
                <p class="quiet list-note">{messages.total(numberText(members.total ?? items.length))}</p>
                <Records label={messages.members} kind="members" items={items} columns={COLUMNS} />
              </>
            )
          }
        </Loaded>
        <Pager total={members.total} pageSize={PAGE_SIZE} />
      </View>
    </>
  );
}

const COLUMNS: readonly Column<CompanyUser>[] = [
  {
    heading: messages.columns.user,
    cell: (user) => (
      <span class="who">
        <Avatar user={user} />
        <span class="who-text">
          <Link href={hrefOf(`companies/${user.membership.companyId}/${user.id}`)} isMain class="who-name">
            {user.fullName ?? <Email text={user.email} />}
          </Link>
          {user.fullName !== null && (
            <span class="quiet">
              <Email text={user.email} />
            </span>
          )}
        </span>
      </span>
    ),
  },
  {
    heading: messages.columns.role,
    cell: ({ membership }) => <Pill tone="accent" text={membership.role} />,
  },
  {
    heading: messages.columns.modules,
    cell: ({ membership: { moduleGrants } }) =>
      moduleGrants.length === 0 ? (
        <span class="quiet">–</span>
      ) : (
        <span>
          {moduleGrants.slice(0, MOST_MODULES).join(', ')}
          {moduleGrants.length > MOST_MODULES && ` +${numberText(moduleGrants.length - MOST_MODULES)}`}
        </span>
      ),
  },
  {
    heading: messages.columns.finance,
    cell: ({ membership: { financeRole } }) =>
      financeRole === null ? <span class="quiet">–</span> : names.finance[financeRole],
    isMinor: true,
  },
  {
    heading: messages.columns.since,
    cell: ({ membership: { createdAt } }) => dateText(createdAt),
    isMinor: true,
  },
];
