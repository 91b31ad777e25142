import type { JSX } from 'preact';
import { sessionMessages as messages } from '../../../messages/en/console/operations.js';
import { userActionMessages as actions } from '../../../messages/en/console/users.js';
import { client } from '../../client.js';
import { deviceOf } from '../device.js';
import { numberText } from '../format.js';
import { ExportButton } from '../parts/export-button.js';
import { Identity } from '../parts/identity.js';
import { Pager, usePageNumber, View } from '../parts/layout.js';
import { Records, type Column } from '../parts/records.js';
import { Empty, Loaded } from '../parts/states.js';
import { Ago } from '../parts/time.js';
import { endSession } from '../session-actions.js';
import { useMe, useRights } from '../session-context.js';
import type { Session } from '../types.js';
import { keyOf, useQuery } from '../use-query.js';

const PAGE_SIZE = 25;
const EXPORTED = [
  'id',
  'userId',
  'email',
  'ipAddress',
  'userAgent',
  'origin',
  'createdAt',
  'lastUsedAt',
  'expiresAt',
] as const;

/** The active sessions of all users. */
export function SessionsView(): JSX.Element {
  const page = usePageNumber();
  const sessions = useQuery(keyOf('sessions', page), (signal) =>
    client.request('GET', '/internal/sessions', {
      query: { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE },
      signal,
    }),
  );
  const columns = useColumns(sessions.reload);
  const lead = sessions.total === undefined ? ' ' : messages.total(numberText(sessions.total));
  return (
    <View
      title={messages.title}
      lead={lead}
      actions={
        <ExportButton
          name="sessions"
          fields={EXPORTED}
          read={(query, signal) => client.request('GET', '/internal/sessions', { query, signal })}
        />
      }
    >
      <Loaded query={sessions} rows={8}>
        {(items) =>
          items.length === 0 ? (
            <Empty title={messages.empty} hint={messages.emptyHint} icon="sessions" />
          ) : (
            <Records label={messages.title} kind="sessions" items={items} columns={columns} />
          )
        }
      </Loaded>
      <Pager total={sessions.total} pageSize={PAGE_SIZE} />
    </View>
  );
}

function useColumns(reload: () => void): Column<Session>[] {
  const me = useMe();
  const { mayOn } = useRights();
  const mayEnd = ({ userId: id, globalRole }: Session): boolean =>
    mayOn('revoke-sessions', { id, globalRole });
  return [
    {
      heading: messages.columns.user,
      cell: ({ userId, email }) => <Identity user={{ id: userId, email }} />,
    },
    {
      heading: messages.columns.device,
      cell: (session) => (
        <span>
          {deviceOf(session)}
          {session.id === me.sessionId && <span class="quiet"> · {messages.thisOne}</span>}
        </span>
      ),
    },
    {
      heading: messages.columns.address,
      cell: ({ ipAddress }) => <span class="code">{ipAddress ?? '–'}</span>,
      isMinor: true,
    },
    { heading: messages.columns.used, cell: ({ lastUsedAt }) => <Ago at={lastUsedAt} /> },
    { heading: messages.columns.signedIn, cell: ({ createdAt }) => <Ago at={createdAt} />, isMinor: true },
    {
      heading: '',
      cell: (session) =>
        mayEnd(session) && (
          <button
            type="button"
            class="button secondary small"
            aria-label={actions.endLabel(`${deviceOf(session)}, ${session.email}`)}
            onClick={() => void endSession(session).then((isDone) => isDone && reload())}
          >
            {actions.end}
          </button>
        ),
    },
  ];
}
