import type { JSX } from 'preact';
import type { RequestInput } from '@latchkey/client';
import { sessionMessages as messages } from '../../../messages/en/console/operations.js';
import { userActionMessages as actions } from '../../../messages/en/console/users.js';
import { client } from '../../client.js';
import { Place } from '../../ui/place.js';
import { deviceOf } from '../device.js';
import { numberText } from '../format.js';
import { BulkBar } from '../parts/bulk-bar.js';
import { ExportButton } from '../parts/export-button.js';
import { Filters, TextFilter } from '../parts/filters.js';
import { Identity } from '../parts/identity.js';
import { Pager, usePageNumber, View } from '../parts/layout.js';
import { Records, type Column } from '../parts/records.js';
import { Empty, Loaded } from '../parts/states.js';
import { Ago } from '../parts/time.js';
import { NETWORK, UUID } from '../patterns.js';
import { usePlace } from '../router.js';
import { useSelection, type Selection } from '../selection.js';
import { endSession, endSessions, sessionName } from '../session-actions.js';
import { useMe, useRights } from '../session-context.js';
import type { Session } from '../types.js';
import { defined, keyOf, useQuery, type Outcome } from '../use-query.js';

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

const listSessions = (
  query: NonNullable<RequestInput<'GET', '/internal/sessions'>['query']>,
  signal: AbortSignal,
): Promise<Outcome<Session[]>> => client.request('GET', '/internal/sessions', { query, signal });

/** The active sessions of all users: found by user and by IP address. */
export function SessionsView(): JSX.Element {
  const page = usePageNumber();
  const filter = useFilter();
  const { may } = useRights();
  const sessions = useQuery(keyOf('sessions', filter, page), (signal) =>
    listSessions({ ...filter, limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE }, signal),
  );
  const isFiltered = Object.keys(filter).length > 0;
  const selection = useSelection(sessions.data, { isOffered: useMayEnd(), nameOf: sessionName });
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
          read={(slice, signal) => listSessions({ ...filter, ...slice }, signal)}
        />
      }
    >
      <Tools selection={selection} changed={sessions.reload} />
      <Loaded query={sessions} rows={8}>
        {(items) =>
          items.length === 0 ? (
            <NoSessions isFiltered={isFiltered} />
          ) : (
            <Records
              label={messages.title}
              kind="sessions"
              items={items}
              columns={columns}
              selection={may('revoke-sessions') ? selection : undefined}
            />
          )
        }
      </Loaded>
      <Pager total={sessions.total} pageSize={PAGE_SIZE} />
    </View>
  );
}

const NoSessions = ({ isFiltered }: { isFiltered: boolean }): JSX.Element => (
  <Empty
    title={isFiltered ? messages.noneFound : messages.empty}
    hint={isFiltered ? messages.noneFoundHint : messages.emptyHint}
    icon="sessions"
  />
);

/** The filters, and what can be done with the selected sessions. */
function Tools({ selection, changed }: { selection: Selection<Session>; changed: () => void }): JSX.Element {
  const endAll = async (chosen: readonly Session[]): Promise<void> => {
    if (!(await endSessions(chosen))) return;
    selection.clear();
    changed();
  };
  return (
    <>
      <Filters names={['search', 'address', 'id']}>
        <TextFilter name="search" label={messages.search} type="search" isSearch />
        <TextFilter name="address" label={messages.addressFilter} pattern={NETWORK} />
        <TextFilter name="id" label={messages.idFilter} pattern={UUID} />
      </Filters>
      <BulkBar
        selection={selection}
        actions={[{ label: messages.endChosen, isDanger: true, run: (chosen) => void endAll(chosen) }]}
      />
    </>
  );
}

/** Returns the filters that are set. */
function useFilter() {
  const { query } = usePlace();
  return defined({
    search: query.get('search') ?? undefined,
    ipAddress: query.get('address') ?? undefined,
    id: query.get('id') ?? undefined,
  });
}

/** Returns a function that reports whether a session can be ended together with others: this one is ended by signing out. */
function useMayEnd(): (session: Session) => boolean {
  const me = useMe();
  const { mayOn } = useRights();
  return ({ id, userId, globalRole }) =>
    id !== me.sessionId && mayOn('revoke-sessions', { id: userId, globalRole });
}

function useColumns(reload: () => void): Column<Session>[] {
  const me = useMe();
  const { mayOn } = useRights();
  const mayEnd = ({ userId: id, globalRole }: Session): boolean =>
    mayOn('revoke-sessions', { id, globalRole });
  return [
    {
      heading: messages.columns.user,
      cell: ({ userId, email, profilePictureUrl }) => (
        <Identity user={{ id: userId, email, profilePictureUrl }} />
      ),
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
      cell: ({ ipAddress, place }) => (
        <>
          <span class="code">{ipAddress ?? '–'}</span> {place && <Place place={place} />}
        </>
      ),
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
