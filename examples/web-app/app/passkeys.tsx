import type { SubmitEvent, ReactElement } from 'react';
import { useSession } from '@latchkey/client/react';
import { errorText } from './error-text.js';
import { useLoaded } from './use-loaded.js';

/** The passkeys of the user, and a form that adds one. */
export function Passkeys({ onError }: { onError: (message: string) => void }): ReactElement {
  const { client } = useSession();
  const [passkeys, reload] = useLoaded(() => client.passkeys.list());

  async function add(form: HTMLFormElement): Promise<void> {
    const currentPassword = new FormData(form).get('currentPassword');
    if (typeof currentPassword !== 'string') return;
    const { error } = await client.passkeys.add({ currentPassword, name: 'This device' });
    onError(error ? errorText(error) : '');
    if (error) return;
    form.reset();
    reload();
  }

  async function remove(id: string): Promise<void> {
    const { error } = await client.passkeys.remove(id);
    onError(error ? errorText(error) : '');
    reload();
  }

  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    void add(event.currentTarget);
  };

  return (
    <section aria-labelledby="passkeys">
      <h2 id="passkeys">Passkeys</h2>
      <ul aria-label="Passkeys">
        {passkeys?.data?.map(({ id, name }) => (
          <li key={id}>
            {name}{' '}
            <button type="button" onClick={() => void remove(id)}>
              Remove {name}
            </button>
          </li>
        ))}
      </ul>
      <form onSubmit={submit}>
        <label>
          Current password
          <input name="currentPassword" type="password" autoComplete="current-password" required />
        </label>
        <button type="submit">Add a passkey</button>
      </form>
    </section>
  );
}
