import type { JSX } from 'preact';
import { nameMessages as names } from '../../../messages/en/console/names.js';
import { sessionMessages as lists } from '../../../messages/en/console/operations.js';
import {
  userActionMessages as actions,
  userMessages as messages,
} from '../../../messages/en/console/users.js';
import { client } from '../../client.js';
import { Place } from '../../ui/place.js';
import { deviceOf } from '../device.js';
import { agoText } from '../format.js';
import { Panel } from '../parts/layout.js';
import { Loaded } from '../parts/states.js';
import { endSession } from '../session-actions.js';
import { useMe, useRights } from '../session-context.js';
import type { Session, User } from '../types.js';
import { keyOf, useQuery } from '../use-query.js';
import { endAllSessions } from '../user-actions.js';

const MOST = 20;

/** Where a user is signed in. */
export function UserSessions({
  user,
  revision,
  changed,
}: {
  user: User;
  revision: number;
  changed: () => void;
}): JSX.Element {
  const sessions = useQuery(keyOf(user.id, revision), (signal) =>
    client.request('GET', '/internal/users/{id}/sessions', {
      path: { id: user.id },
      query: { limit: MOST },
      signal,
    }),
  );
  const { mayOn } = useRights();
  const endAll = mayOn('revoke-sessions', user) && (
    <button
      type="button"
      class="button secondary small"
      onClick={() => void endAllSessions(user).then((isDone) => isDone && changed())}
    >
      {actions.endAll}
    </button>
  );
  return (
    <Panel title={messages.sessions} aside={(sessions.data?.length ?? 0) > 0 && endAll}>
      <Loaded query={sessions} rows={2}>
        {(items) =>
          items.length === 0 ? (
            <p class="quiet box-text">{messages.noSessions}</p>
          ) : (
            <ul class="lines">
              {items.map((session) => (
                <SessionLine key={session.id} session={session} changed={changed} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}

function SessionLine({ session, changed }: { session: Session; changed: () => void }): JSX.Element {
  const me = useMe();
  const { mayOn } = useRights();
  const { userId, globalRole, ipAddress, place, origin, lastUsedAt, id } = session;
  const facts = [names.origin[origin], messages.usedLast(agoText(lastUsedAt)), ipAddress];
  return (
    <li>
      <span class="line-text">
        <span>
          {deviceOf(session)}
          {id === me.sessionId && <span class="quiet"> · {lists.thisOne}</span>}
        </span>
        <span class="quiet">
          {facts.filter(Boolean).join(' · ')}
          {place && ' · '}
          {place && <Place place={place} />}
        </span>
      </span>
      {mayOn('revoke-sessions', { id: userId, globalRole }) && (
        <button
          type="button"
          class="button secondary small"
          aria-label={actions.endLabel(deviceOf(session))}
          onClick={() => void endSession(session).then((isDone) => isDone && changed())}
        >
          {actions.end}
        </button>
      )}
    </li>
  );
}
