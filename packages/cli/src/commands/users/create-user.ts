import type { Call } from '../../runtime/call.js';
import { withOperator } from '../../runtime/connection.js';
import {
  passwordRuleFor,
  readPassword,
  readPerson,
  type PersonOptions,
} from '../../runtime/person-options.js';

/** Asks for what is missing, and creates the user. */
export async function createUser(
  call: Call<PersonOptions & { role: string; locale?: string }>,
): Promise<void> {
  if (call.options.email === undefined) call.prompts.assertCanAsk('--email <address>');
  await withOperator(call, async ({ administration, operator, client }) => {
    const { role: globalRole, locale } = call.options;
    const person = await readPerson(call, { globalRole, locale });
    const password = await readPassword(call, passwordRuleFor(administration, person.email));
    const input = { ...person, password };
    const view = await administration.users.create(operator, input, client);
    const signIn = password === undefined ? ' They cannot sign in until they reset their password.' : '';
    call.output.answer({ view, text: `Created ${view.email} (${view.id}).${signIn}`, id: view.id });
  });
}
