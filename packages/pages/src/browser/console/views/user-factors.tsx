import type { JSX } from 'preact';
import type { Schemas } from '@latchkey/client';
import {
  userActionMessages as actions,
  userMessages as messages,
} from '../../../messages/en/console/users.js';
import { client } from '../../client.js';
import { agoText, numberText } from '../format.js';
import { Icon } from '../parts/icons.js';
import { Panel } from '../parts/layout.js';
import { Loaded } from '../parts/states.js';
import { useRights } from '../session-context.js';
import type { User } from '../types.js';
import { keyOf, useQuery, type Outcome } from '../use-query.js';
import { removePasskey, resetFactors } from '../user-actions.js';

const MOST = 50;

interface Methods {
  passkeys: readonly Schemas['Passkey'][];
  factors: Schemas['UserFactors'];
}

/** Returns both lists as one: they are shown together. */
async function readMethods(id: string, signal: AbortSignal): Promise<Outcome<Methods>> {
  const [passkeys, factors] = await Promise.all([
    client.request('GET', '/internal/users/{id}/passkeys', { path: { id }, query: { limit: MOST }, signal }),
    client.request('GET', '/internal/users/{id}/factors', { path: { id }, signal }),
  ]);
  if (!passkeys.ok) return passkeys;
  return factors.ok ? { ...factors, data: { passkeys: passkeys.data, factors: factors.data } } : factors;
}

/** Passkeys and second factors of a user. */
export function UserFactorsPanel({
  user,
  revision,
  changed,
}: {
  user: User;
  revision: number;
  changed: () => void;
}): JSX.Element {
  const methods = useQuery(keyOf(user.id, revision), (signal) => readMethods(user.id, signal));
  const { mayOn } = useRights();
  const reset = hasEffect(methods.data) && mayOn('reset-factors', user) && (
    <button
      type="button"
      class="button secondary small warning"
      onClick={() => void resetFactors(user).then((isDone) => isDone && changed())}
    >
      {actions.resetFactors}
    </button>
  );
  return (
    <Panel title={messages.factors} aside={reset}>
      <Loaded query={methods} rows={2}>
        {(data) => (
          <>
            {data.factors.codesBlocked && <p class="notice info">{messages.codesBlocked}</p>}
            <MethodList user={user} methods={data} changed={changed} />
          </>
        )}
      </Loaded>
    </Panel>
  );
}

/** Reports whether a reset would remove anything. */
const hasEffect = (methods: Methods | undefined): boolean =>
  methods !== undefined &&
  (methods.passkeys.length + methods.factors.factors.length > 0 || methods.factors.codesBlocked);

const lastUse = (at: string | undefined): string =>
  at === undefined ? messages.unused : messages.usedLast(agoText(at));

function MethodList({
  user,
  methods: { passkeys, factors },
  changed,
}: {
  user: User;
  methods: Methods;
  changed: () => void;
}): JSX.Element {
  const { mayOn } = useRights();
  const isEmpty = passkeys.length + factors.factors.length === 0;
  if (isEmpty) return <p class="quiet box-text">{messages.noFactors}</p>;
  return (
    <ul class="lines">
      {factors.factors.map(({ id, name, lastUsedAt }) => (
        <li key={id}>
          <Icon name="phone" />
          <span class="line-text">
            <span>{name}</span>
            <span class="quiet">
              {messages.authenticator} · {lastUse(lastUsedAt)} ·{' '}
              {messages.recoveryCodes(numberText(factors.recoveryCodesLeft))}
            </span>
          </span>
        </li>
      ))}
      {passkeys.map((passkey) => (
        <li key={passkey.id}>
          <Icon name="key" />
          <span class="line-text">
            <span>{passkey.name}</span>
            <span class="quiet">
              {passkey.backedUp ? messages.synced : messages.bound} · {lastUse(passkey.lastUsedAt)}
            </span>
          </span>
          {mayOn('reset-factors', user) && (
            <button
              type="button"
              class="button secondary small"
              aria-label={actions.removePasskeyLabel(passkey.name)}
              onClick={() => void removePasskey(user.id, passkey).then((isDone) => isDone && changed())}
            >
              {actions.removePasskey}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
