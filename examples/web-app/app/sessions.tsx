import type { ReactElement } from 'react';
import { useSession } from '@latchkey/client/react';
import { errorText } from './error-text.js';
import { useLoaded } from './use-loaded.js';

/** The devices on which the user is signed in. */
export function Sessions({ onError }: { onError: (message: string) => void }): ReactElement {
  const { client } = useSession();
  const [sessions, reload] = useLoaded(() => client.sessions.list());

  async function endOthers(): Promise<void> {
    const { error } = await client.sessions.revokeOthers();
    onError(error ? errorText(error) : '');
    reload();
  }

  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">Sessions</h2>
      <ul aria-label="Sessions">
        {sessions?.data?.map(({ id, deviceName, current }) => (
          <li key={id}>
            {deviceName ?? 'Unknown device'}
            {current && ' (this device)'}
          </li>
        ))}
      </ul>
      <button type="button" onClick={() => void endOthers()}>
        Sign out elsewhere
      </button>
    </section>
  );
}
