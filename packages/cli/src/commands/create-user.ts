import type { CreateUser } from '@latchkey/core';
import type { Call } from '../runtime/call.js';
import { withAdministration } from '../runtime/connection.js';
import { CommandError } from '../runtime/failure.js';

export interface CreateOptions {
  email?: string;
  name?: string;
  role: string;
  passwordStdin?: boolean;
  /** False with `--no-password`. */
  password: boolean;
}

/** Asks for what is missing, then adds the user. */
export async function createUser(call: Call<CreateOptions>): Promise<void> {
  const input = await readInput(call);
  await withAdministration(call, async ({ administration, operator, client }) => {
    const view = await administration.userAdministration.create(operator, input, client);
    const signIn =
      input.password === undefined ? ' They cannot sign in until they reset their password.' : '';
    call.output.answer({ view, text: `Created ${view.email} (${view.id}).${signIn}`, id: view.id });
  });
}

async function readInput(call: Call<CreateOptions>): Promise<CreateUser> {
  const { options, prompts } = call;
  const email = options.email ?? (await prompts.text('Email address', '--email <address>'));
  // Who gave the address as an option knows what else there is to give.
  const asksForName = options.name === undefined && options.email === undefined;
  const fullName = asksForName ? await prompts.optionalText('Full name (may be empty)') : options.name;
  const password = await readPassword(call);
  return parse({ email, fullName, globalRole: options.role, password });
}

async function readPassword({ options, prompts }: Call<CreateOptions>): Promise<string | undefined> {
  if (options.passwordStdin === true) return prompts.pipedPassword();
  return options.password && prompts.canAsk ? prompts.newPassword() : undefined;
}

/** The same rules as `POST /internal/admin/users`. */
async function parse(fields: Record<string, unknown>): Promise<CreateUser> {
  const { machineCreateUserInput } = await import('@latchkey/core');
  const parsed = machineCreateUserInput.safeParse(fields);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw CommandError.usage(`${faults.join('; ')}.`, 'See: latchkey users create --help');
}
