import type { JSX } from 'preact';
import {
  userActionMessages as actions,
  userMessages as messages,
} from '../../../messages/en/console/users.js';
import { client } from '../../client.js';
import { agoText } from '../format.js';
import { Icon } from '../parts/icons.js';
import { Panel } from '../parts/layout.js';
import { Loaded } from '../parts/states.js';
import { useRights } from '../session-context.js';
import type { User } from '../types.js';
import { keyOf, useQuery } from '../use-query.js';
import { removeTrustedDevices } from '../user-actions.js';

/** The browsers on which a user is not asked for a second factor. */
export function UserTrustedDevices({
  user,
  revision,
  changed,
}: {
  user: User;
  revision: number;
  changed: () => void;
}): JSX.Element {
  const devices = useQuery(keyOf(user.id, revision), (signal) =>
    client.request('GET', '/internal/users/{id}/trusted-devices', { path: { id: user.id }, signal }),
  );
  const { mayOn } = useRights();
  const isEmpty = (devices.data ?? []).length === 0;
  const remove = !isEmpty && mayOn('revoke-sessions', user) && (
    <button
      type="button"
      class="button secondary small"
      onClick={() => void removeTrustedDevices(user).then((isDone) => isDone && changed())}
    >
      {actions.removeTrusted}
    </button>
  );
  return (
    <Panel title={messages.trustedDevices} aside={remove}>
      <Loaded query={devices} rows={1}>
        {(items) =>
          items.length === 0 ? (
            <p class="quiet box-text">{messages.noTrustedDevices}</p>
          ) : (
            <ul class="lines">
              {items.map(({ id, label, ipAddress, lastUsedAt }) => (
                <li key={id}>
                  <Icon name="phone" />
                  <span class="line-text">
                    <span>{label ?? messages.unknownTrusted}</span>
                    <span class="quiet">
                      {lastUsedAt === null ? messages.unused : messages.usedLast(agoText(lastUsedAt))}
                      {ipAddress !== null && ` · ${ipAddress}`}
                    </span>
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}
