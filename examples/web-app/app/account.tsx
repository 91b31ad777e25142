import { useState, type ReactElement } from 'react';
import { useSession } from '@latchkey/client/react';
import { Companies } from './companies.js';
import { errorText } from './error-text.js';
import { Passkeys } from './passkeys.js';
import { Sessions } from './sessions.js';
import { useLoaded } from './use-loaded.js';

/** The page of a signed-in user. */
export function Account(): ReactElement {
  const { client } = useSession();
  const [message, setMessage] = useState('');
  const [me] = useLoaded(() => client.me());

  async function signOut(): Promise<void> {
    const { error } = await client.signOut();
    if (error) setMessage(errorText(error));
  }

  if (!me) return <p>One moment…</p>;
  if (me.error) return <p role="alert">{errorText(me.error)}</p>;
  return (
    <main>
      <h1>Hello {me.data.name ?? me.data.email}</h1>
      <p role="alert">{message}</p>
      <button type="button" onClick={() => void signOut()}>
        Sign out
      </button>
      <Companies />
      <Passkeys onError={setMessage} />
      <Sessions onError={setMessage} />
    </main>
  );
}
