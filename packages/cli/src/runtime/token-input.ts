import type { Call } from './call.js';
import { CommandError } from './failure.js';
import { readTextFile } from './text-file.js';

/** The kinds of our opaque secrets, by their prefix. */
const OPAQUE: Record<string, string> = {
  lkr_: 'a refresh token',
  lki_: 'the token of an invitation',
  lkh_: 'a hand-off code',
  lkp_: 'the token of a password reset',
  lke_: 'the token of a registration mail',
  lks_: 'the secret of a service client',
};

/**
 * Reads a token from the named file, from standard input, or from a hidden prompt.
 * @throws CommandError if the token itself was the argument, or is not a JWT.
 */
export async function readToken({ args, prompts }: Call): Promise<string> {
  const [file] = args;
  if (file !== undefined && looksLikeToken(file)) throw asArgument();
  const isFile = file !== undefined && file !== '-';
  const text = await (isFile ? readTextFile(file) : prompts.secret('Token (hidden)', '[file]'));
  const token = text.trim().replace(/^Bearer\s+/i, '');
  if (token === '') throw CommandError.usage('There is no token.', 'Pass it on standard input or in a file.');
  const kind = OPAQUE[token.slice(0, 4)];
  if (kind === undefined) return token;
  throw CommandError.usage(`This is ${kind}. It is opaque; there is nothing to decode.`);
}

const looksLikeToken = (text: string): boolean =>
  /^(Bearer )?eyJ[\w-]*\.[\w-]*(\.|$)/i.test(text) || text.slice(0, 4) in OPAQUE;

const asArgument = (): CommandError =>
  CommandError.usage(
    'Do not pass a token as an argument: other users of this machine can read arguments, and the shell stores them.',
    'Pipe it in, name a file that holds it, or omit it to be asked. Treat this token as compromised.',
  );
