import type { JSX } from 'preact';
import {
  approvalMessages as messages,
  userListMessages as lists,
} from '../../../messages/en/console/users.js';
import { client } from '../../client.js';
import { approve, approveAll, reject, rejectAll } from '../decisions.js';
import { nameOf } from '../format.js';
import { useKeys } from '../keys.js';
import { BulkBar } from '../parts/bulk-bar.js';
import { Identity } from '../parts/identity.js';
import { Pager, usePageNumber, View } from '../parts/layout.js';
import { Pill } from '../parts/pill.js';
import { Records, type Column } from '../parts/records.js';
import { Empty, Loaded } from '../parts/states.js';
import { Ago } from '../parts/time.js';
import { currentRecord } from '../rows.js';
import { useSelection, type Selection } from '../selection.js';
import { useRights } from '../session-context.js';
import type { User } from '../types.js';
import { keyOf, useQuery } from '../use-query.js';

const PAGE_SIZE = 25;

/** The registrations that wait for a decision. */
export function ApprovalsView(): JSX.Element {
  const { mayOn } = useRights();
  const page = usePageNumber();
  const offset = (page - 1) * PAGE_SIZE;
  const users = useQuery(keyOf('waiting', page), (signal) =>
    client.request('GET', '/internal/users', {
      query: { approvalStatus: 'PENDING', limit: PAGE_SIZE, offset },
      signal,
    }),
  );
  const decide = async (decision: typeof approve, user: User | undefined): Promise<void> => {
    if (user && mayOn('approve', user) && (await decision(user))) users.reload();
  };
  const current = (): User | undefined => users.data?.find(({ id }) => id === currentRecord());
  useKeys({ a: () => void decide(approve, current()), r: () => void decide(reject, current()) });
  const selection = useSelection(users.data, { isOffered: (user: User) => mayOn('approve', user), nameOf });
  const columns = columnsOf(
    (user) => mayOn('approve', user),
    (decision, user) => void decide(decision, user),
  );
  return (
    <View title={messages.title} lead={messages.lead}>
      <Decisions selection={selection} changed={users.reload} />
      <Loaded query={users}>
        {(items) =>
          items.length === 0 ? (
            <Empty title={messages.empty} hint={messages.emptyHint} icon="approvals" />
          ) : (
            <Records
              label={messages.title}
              kind="approvals"
              items={items}
              columns={columns}
              selection={selection}
            />
          )
        }
      </Loaded>
      <Pager total={users.total} pageSize={PAGE_SIZE} />
    </View>
  );
}

/** The decisions on all selected registrations. */
function Decisions({ selection, changed }: { selection: Selection<User>; changed: () => void }): JSX.Element {
  const decideAll = async (decision: typeof approveAll, chosen: readonly User[]): Promise<void> => {
    if (!(await decision(chosen))) return;
    selection.clear();
    changed();
  };
  return (
    <BulkBar
      selection={selection}
      actions={[
        { label: messages.approve, run: (chosen) => void decideAll(approveAll, chosen) },
        { label: messages.reject, isDanger: true, run: (chosen) => void decideAll(rejectAll, chosen) },
      ]}
    />
  );
}

const columnsOf = (
  mayDecide: (user: User) => boolean,
  decide: (decision: typeof approve, user: User) => void,
): Column<User>[] => [
  { heading: lists.columns.user, cell: (user) => <Identity user={user} /> },
  {
    heading: lists.columns.status,
    cell: ({ emailVerifiedAt }) =>
      emailVerifiedAt === undefined ? (
        <Pill tone="calm" text={messages.unconfirmed} />
      ) : (
        <Pill tone="good" text={messages.confirmed} />
      ),
  },
  { heading: lists.columns.created, cell: ({ createdAt }) => <Ago at={createdAt} /> },
  {
    heading: '',
    cell: (user) =>
      mayDecide(user) && (
        <span class="row-buttons">
          <button type="button" class="button secondary small" onClick={() => decide(approve, user)}>
            {messages.approve} <kbd aria-hidden="true">a</kbd>
          </button>
          <button type="button" class="button secondary small" onClick={() => decide(reject, user)}>
            {messages.reject} <kbd aria-hidden="true">r</kbd>
          </button>
        </span>
      ),
  },
];
