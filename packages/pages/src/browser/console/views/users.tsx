import type { JSX } from 'preact';
import type { RequestInput } from '@latchkey/client';
import { nameMessages as names } from '../../../messages/en/console/names.js';
import { userListMessages as messages } from '../../../messages/en/console/users.js';
import { client } from '../../client.js';
import { addUser } from '../add-user.js';
import { numberText } from '../format.js';
import { ExportButton } from '../parts/export-button.js';
import { ChoiceFilter, Filters, TextFilter, useChoice } from '../parts/filters.js';
import { Icon } from '../parts/icons.js';
import { Identity } from '../parts/identity.js';
import { Pager, usePageNumber, View } from '../parts/layout.js';
import { RolePill, StatusPill } from '../parts/pill.js';
import { Records, type Column } from '../parts/records.js';
import { Empty, Loaded } from '../parts/states.js';
import { Ago } from '../parts/time.js';
import { usePlace } from '../router.js';
import { useRights } from '../session-context.js';
import type { User } from '../types.js';
import { defined, keyOf, useQuery, type Outcome } from '../use-query.js';

const PAGE_SIZE = 25;
const NEWEST_FIRST = '-createdAt';
const ACTIVITY = { true: names.activity.active, false: names.activity.inactive };

const COLUMNS: readonly Column<User>[] = [
  {
    heading: messages.columns.user,
    cell: (user) => <Identity user={user} />,
    sorts: ['fullName', '-fullName', 'email', '-email'],
  },
  { heading: messages.columns.status, cell: (user) => <StatusPill user={user} /> },
  {
    heading: messages.columns.role,
    cell: ({ globalRole }) => <RolePill role={globalRole} />,
    isMinor: true,
  },
  { heading: messages.columns.lastSignIn, cell: ({ lastLoginAt }) => <Ago at={lastLoginAt} /> },
  {
    heading: messages.columns.created,
    cell: ({ createdAt }) => <Ago at={createdAt} />,
    isMinor: true,
    sorts: [NEWEST_FIRST, 'createdAt'],
  },
];

const EXPORTED = [
  'id',
  'email',
  'fullName',
  'globalRole',
  'approvalStatus',
  'isActive',
  'emailVerifiedAt',
  'lastLoginAt',
  'createdAt',
] as const;

const listUsers = (
  query: NonNullable<RequestInput<'GET', '/internal/users'>['query']>,
  signal: AbortSignal,
): Promise<Outcome<User[]>> => client.request('GET', '/internal/users', { query, signal });

/** All users: found by search and filters, one page at a time. */
export function UsersView(): JSX.Element {
  const { may } = useRights();
  const page = usePageNumber();
  const filter = useFilter();
  const offset = (page - 1) * PAGE_SIZE;
  const users = useQuery(keyOf(filter, page), (signal) =>
    listUsers({ ...filter, limit: PAGE_SIZE, offset }, signal),
  );
  return (
    <View
      title={messages.title}
      lead={users.total === undefined ? ' ' : messages.total(numberText(users.total))}
      actions={
        <>
          <ExportButton
            name="users"
            fields={EXPORTED}
            read={(slice, signal) => listUsers({ ...filter, ...slice }, signal)}
          />
          {may('create') && (
            <button type="button" class="button primary" onClick={() => void addUser()}>
              <Icon name="plus" /> {messages.add}
            </button>
          )}
        </>
      }
    >
      <UserFilters />
      <Loaded query={users} rows={8}>
        {(items) =>
          items.length === 0 ? (
            <Empty title={messages.empty} hint={messages.emptyHint} icon="users" />
          ) : (
            <Records
              label={messages.title}
              kind="users"
              items={items}
              columns={COLUMNS}
              usualSort={NEWEST_FIRST}
            />
          )
        }
      </Loaded>
      <Pager total={users.total} pageSize={PAGE_SIZE} />
    </View>
  );
}

const UserFilters = (): JSX.Element => (
  <Filters names={['search', 'approval', 'role', 'active']}>
    <TextFilter name="search" label={messages.search} type="search" isSearch />
    <ChoiceFilter name="approval" label={messages.approval} options={names.approval} />
    <ChoiceFilter name="role" label={messages.role} options={names.role} />
    <ChoiceFilter name="active" label={messages.activity} options={ACTIVITY} />
    <ChoiceFilter name="sort" label={messages.sort} options={messages.sorts} usual={NEWEST_FIRST} />
  </Filters>
);

/** Returns the filters that are set. */
function useFilter() {
  const { query } = usePlace();
  const activity = useChoice('active', ACTIVITY);
  return defined({
    search: query.get('search') ?? undefined,
    approvalStatus: useChoice('approval', names.approval),
    globalRole: useChoice('role', names.role),
    isActive: activity === undefined ? undefined : activity === 'true',
    sort: useChoice('sort', messages.sorts),
  });
}
