import type { ReactElement } from 'react';
import { useSession } from '@latchkey/client/react';
import { Account } from './account.js';
import { SignIn } from './sign-in.js';

/** Shows the account to a signed-in user, and the sign-in to all others. */
export function App(): ReactElement {
  const { state } = useSession();
  if (state.status === 'unknown') return <p>One moment…</p>;
  // The key: nothing of one user is shown to the next.
  if (state.status === 'signed_in') return <Account key={state.id} />;
  return <SignIn reason={state.reason} />;
}
