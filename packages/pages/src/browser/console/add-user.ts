import { userListMessages as messages } from '../../messages/en/console/users.js';
import { client } from '../client.js';
import type { Failure } from '../failure.js';
import { failureText } from './failure.js';
import { toast, type Answers, type Problem } from './overlay-store.js';
import { confirmed } from './perform.js';
import { go, hrefOf } from './router.js';
import type { User } from './types.js';

/** Asks for a new user, creates it, mails the link that sets a password if that is wanted, and opens its view. */
export async function addUser(): Promise<void> {
  const added: { user?: User; wantsMail?: boolean } = {};
  await confirmed(
    {
      title: messages.addTitle,
      text: messages.addText,
      confirm: messages.add,
      fields: [
        { name: 'email', label: messages.email, type: 'email', maxLength: 254 },
        { name: 'fullName', label: messages.fullName, isOptional: true, maxLength: 200 },
        { name: 'mail', label: messages.sendLink, hint: messages.sendLinkHint, isCheck: true, value: 'on' },
      ],
      explain: explainTaken,
    },
    async ({ email = '', fullName = '', mail }) => {
      const body = { email, ...(fullName !== '' && { fullName }) };
      const outcome = await client.request('POST', '/internal/users', { body });
      if (outcome.ok) Object.assign(added, { user: outcome.data, wantsMail: mail === 'on' });
      return outcome;
    },
    ({ email }) => messages.added(email),
  );
  const { user, wantsMail } = added;
  if (!user) return;
  if (wantsMail) await mailLink(user);
  go(hrefOf(`users/${user.id}`));
}

async function mailLink({ id, email }: User): Promise<void> {
  const outcome = await client.request('POST', '/internal/users/{id}/password-reset', { path: { id } });
  if (outcome.ok) toast(messages.linkSent(email));
  else toast(messages.linkNotSent(failureText(outcome.error)), true);
}

/** Leads to the user who has the email already. */
async function explainTaken(failure: Failure, { email = '' }: Answers): Promise<Problem | undefined> {
  if (!('reason' in failure) || failure.reason !== 'email_taken') return undefined;
  const query = { search: email, limit: 10 };
  const { data } = await client.request('GET', '/internal/users', { query });
  const user = data?.find((each) => each.email.toLowerCase() === email.toLowerCase());
  if (!user) return { fields: { email: { text: messages.reserved } } };
  const link = { href: hrefOf(`users/${user.id}`), text: messages.openTaken };
  return { fields: { email: { text: messages.taken, link } } };
}
