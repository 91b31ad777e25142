import type { JSX } from 'preact';
import { overviewMessages as messages } from '../../../messages/en/console/operations.js';
import { appData } from '../../app-data.js';
import { client } from '../../client.js';
import { pageData } from '../../page-data.js';
import { numberText } from '../format.js';
import { Dependencies } from '../parts/dependencies.js';
import { Icon } from '../parts/icons.js';
import { Identity } from '../parts/identity.js';
import { Panel, View } from '../parts/layout.js';
import { Link } from '../parts/link.js';
import { StatusPill } from '../parts/pill.js';
import { Loaded } from '../parts/states.js';
import { Ago } from '../parts/time.js';
import { hrefOf } from '../router.js';
import { useRowKeys } from '../rows.js';
import { useMe, useRights } from '../session-context.js';
import type { User } from '../types.js';
import { useQuery } from '../use-query.js';
import { useWaitingCount } from '../waiting.js';
import { ActivityPanel, FailingAddresses, UnusualFailures, useActivity } from './overview-activity.js';
import { RecentSignIns } from './recent-sign-ins.js';

const FEW = 6;

/** What needs attention, and what is going on. */
export function OverviewView(): JSX.Element {
  const me = useMe();
  const { may } = useRights();
  const users = useQuery('newest', (signal) =>
    client.request('GET', '/internal/users', { query: { limit: FEW }, signal }),
  );
  const activity = useActivity(may('operate'));
  useRowKeys();
  return (
    <View title={messages.title} lead={messages.greeting(me.name ?? me.email)}>
      {appData.isTrial && <Trial />}
      <UnusualFailures activity={activity.data} />
      <Figures users={users.total} />
      {may('operate') && <ActivityPanel query={activity} />}
      <div class="overview-columns">
        <div class="stack">
          {may('operate') && <RecentSignIns />}
          <Panel title={messages.newest} aside={<Link href={hrefOf('users')}>{messages.allUsers}</Link>}>
            <Loaded query={users} rows={FEW}>
              {(items) => <UserLines users={items} />}
            </Loaded>
          </Panel>
        </div>
        <div class="stack">
          <Waiting />
          {may('operate') && <FailingAddresses query={activity} />}
          {may('operate') && <Health />}
        </div>
      </div>
    </View>
  );
}

/** Leads from a first look to what production needs. */
const Trial = (): JSX.Element => (
  <p class="banner">
    <Icon name="alert" />
    <span>
      {messages.trial} <a href={`${pageData.base}/#production`}>{messages.production}</a>
    </span>
  </p>
);

function Figures({ users }: { users: number | undefined }): JSX.Element {
  const stats = useQuery('stats', (signal) => client.request('GET', '/internal/session-stats', { signal }));
  const waiting = useWaitingCount();
  const note = stats.data?.isEstimate ? messages.estimate : undefined;
  return (
    <ul class="figures">
      <Figure name={messages.waiting} value={waiting} path="approvals" isUrgent={(waiting ?? 0) > 0} />
      <Figure name={messages.users} value={users} path="users" />
      <Figure name={messages.connected} value={stats.data?.connectedUsers} path="sessions" note={note} />
      <Figure name={messages.sessions} value={stats.data?.activeSessions} path="sessions" note={note} />
    </ul>
  );
}

const Figure = ({
  name,
  value,
  path,
  isUrgent,
  note,
}: {
  name: string;
  value: number | undefined;
  path: string;
  isUrgent?: boolean;
  note?: string | undefined;
}): JSX.Element => (
  <li>
    <Link href={hrefOf(path)} class={`figure ${isUrgent ? 'urgent' : ''}`}>
      <span class="figure-name">{name}</span>
      <span class="figure-value">{value === undefined ? '–' : numberText(value)}</span>
      {note !== undefined && <span class="quiet">{note}</span>}
    </Link>
  </li>
);

const UserLines = ({ users }: { users: readonly User[] }): JSX.Element => (
  <ul class="lines">
    {users.map((user) => (
      <li key={user.id} data-record={user.id}>
        <Identity user={user} />
        <StatusPill user={user} />
        <span class="quiet when">
          <Ago at={user.createdAt} />
        </span>
      </li>
    ))}
  </ul>
);

function Waiting(): JSX.Element | null {
  const count = useWaitingCount();
  // The number is known first: without waiting users there is nothing to read.
  const users = useQuery(count === undefined || count === 0 ? undefined : `waiting ${count}`, (signal) =>
    client.request('GET', '/internal/users', { query: { approvalStatus: 'PENDING', limit: FEW }, signal }),
  );
  if (count === undefined || count === 0) return null;
  return (
    <Panel title={messages.approvals} aside={<Link href={hrefOf('approvals')}>{messages.allApprovals}</Link>}>
      <Loaded query={users} rows={2}>
        {(items) => (
          <ul class="lines">
            {items.map((user) => (
              <li key={user.id} data-record={user.id}>
                <Identity user={user} />
                <span class="quiet when">
                  <Ago at={user.createdAt} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}

function Health(): JSX.Element {
  const report = useQuery('health', (signal) => client.request('GET', '/internal/health', { signal }));
  return (
    <Panel title={messages.health} aside={<Link href={hrefOf('health')}>{messages.allHealth}</Link>}>
      <Loaded query={report} rows={3}>
        {(data) => <Dependencies report={data} />}
      </Loaded>
    </Panel>
  );
}
