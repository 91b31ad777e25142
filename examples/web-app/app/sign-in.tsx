import { useState, type SubmitEvent, type ReactElement } from 'react';
import type { SignedOutReason } from '@latchkey/client';
import { useSession } from '@latchkey/client/react';
import { errorText } from './error-text.js';

const REASONS: Partial<Record<SignedOutReason, string>> = {
  revoked: 'You were signed out. Sign in again.',
  expired: 'You were away for a while. Sign in again.',
};

/** The form for email and password, and the button for a passkey. */
export function SignIn({ reason }: { reason: SignedOutReason }): ReactElement {
  const { client } = useSession();
  const [message, setMessage] = useState(REASONS[reason] ?? '');

  async function signIn(how: 'password' | 'passkey', form?: HTMLFormElement): Promise<void> {
    const fields = new FormData(form);
    const credentials = { email: text(fields, 'email'), password: text(fields, 'password') };
    const { data, error } = await (how === 'passkey' ? client.passkeys.signIn() : client.signIn(credentials));
    if (error) setMessage(error.code === 'unauthorized' ? 'Email or password is wrong.' : errorText(error));
    else if (data.status === 'second_factor_required') setMessage('This account needs a second factor.');
  }

  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    void signIn('password', event.currentTarget);
  };

  return (
    <main>
      <h1>Sign in</h1>
      <form onSubmit={submit}>
        <label>
          Email
          <input name="email" type="email" autoComplete="username" required />
        </label>
        <label>
          Password
          <input name="password" type="password" autoComplete="current-password" required />
        </label>
        <p role="alert">{message}</p>
        <button type="submit">Sign in</button>
      </form>
      {client.passkeys.isSupported() && (
        <button type="button" onClick={() => void signIn('passkey')}>
          Sign in with a passkey
        </button>
      )}
    </main>
  );
}

function text(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === 'string' ? value : '';
}
