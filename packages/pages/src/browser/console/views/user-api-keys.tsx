import type { JSX } from 'preact';
import { apiKeyMessages as messages } from '../../../messages/en/api-keys.js';
import { consoleKeyMessages as texts } from '../../../messages/en/console/webhooks.js';
import { client } from '../../client.js';
import { revokeUserKey } from '../api-key-actions.js';
import { ApiKeyLines, KeyButton } from '../parts/api-key-lines.js';
import { Panel } from '../parts/layout.js';
import { Loaded } from '../parts/states.js';
import { useRights } from '../session-context.js';
import type { User } from '../types.js';
import { keyOf, useQuery } from '../use-query.js';

const MOST = 50;

/** The personal API keys of a user. */
export function UserApiKeys({
  user,
  revision,
  changed,
}: {
  user: User;
  revision: number;
  changed: () => void;
}): JSX.Element {
  const keys = useQuery(keyOf(user.id, revision), (signal) =>
    client.request('GET', '/internal/users/{id}/api-keys', {
      path: { id: user.id },
      query: { limit: MOST },
      signal,
    }),
  );
  const { mayOn } = useRights();
  return (
    <Panel title={texts.title}>
      <Loaded query={keys} rows={1}>
        {(items) => (
          <ApiKeyLines
            keys={items}
            actions={(key) =>
              mayOn('revoke-sessions', user) && (
                <KeyButton
                  label={messages.revokeOf(key.name)}
                  action={() => revokeUserKey(user.id, key)}
                  changed={changed}
                >
                  {messages.revoke}
                </KeyButton>
              )
            }
          />
        )}
      </Loaded>
    </Panel>
  );
}
