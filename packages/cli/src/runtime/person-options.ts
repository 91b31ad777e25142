import type { Command } from 'commander';
import type { CreateUser } from '@latchkey/core';
import type { Administration } from '@latchkey/operations';
import type { Call } from './call.js';
import { CommandError } from './failure.js';
import type { Objection } from './prompts.js';

/** The options that describe a new user. */
export interface PersonOptions {
  email?: string;
  name?: string;
  passwordStdin?: boolean;
  /** False with `--no-password`. */
  password: boolean;
}

export const withPersonOptions = (command: Command): Command =>
  command
    .option('--email <address>', 'asked for on a terminal')
    .option('--name <name>', 'full name')
    .option('--password-stdin', 'read the password from standard input')
    .option('--no-password', 'set no password and do not ask for one');

/** Returns the fields of a user, checked by the rules of `POST /internal/admin/users`; asks for email and name if they are missing. */
export async function readPerson(
  { options, prompts }: Call<PersonOptions>,
  others: { globalRole: string; locale?: string | undefined },
): Promise<CreateUser> {
  const { machineCreateUserInput } = await import('@latchkey/core/schemas');
  const objection = (text: string) =>
    machineCreateUserInput.shape.email.safeParse(text).error?.issues[0]?.message;
  const email = options.email ?? (await prompts.text('Email address', '--email <address>', objection));
  // With the address given as an option, the name is optional, too: do not ask for it.
  const asksForName = options.name === undefined && options.email === undefined;
  const fullName = asksForName ? await prompts.optionalText('Full name (may be empty)') : options.name;
  return parse({ email, fullName, ...others });
}

export async function readPassword(
  { options, prompts }: Call<PersonOptions>,
  objection: Objection,
): Promise<string | undefined> {
  if (options.passwordStdin === true) return prompts.pipedPassword();
  return options.password && prompts.canAsk ? prompts.newPassword(objection) : undefined;
}

/** Returns a check of passwords for this account, by the rules of the service. */
export const passwordRuleFor =
  (administration: Administration, email: string): Objection =>
  (password) =>
    administration.passwordObjection(password, email);

async function parse(fields: Record<string, unknown>): Promise<CreateUser> {
  const { machineCreateUserInput } = await import('@latchkey/core/schemas');
  const parsed = machineCreateUserInput.safeParse(fields);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw CommandError.usage(`${faults.join('; ')}.`);
}
