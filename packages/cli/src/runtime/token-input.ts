import type { Call } from './call.js';
import { CommandError } from './failure.js';
import { readTextFile } from './text-file.js';

/** What kind of secret a text is that is no JWT, by the prefix that all of ours have. */
const OPAQUE: Record<string, string> = {
  lkr_: 'a refresh token',
  lki_: 'the token of an invitation',
  lkh_: 'a hand-off code',
  lkp_: 'the token of a password reset',
  lke_: 'the token of a registration mail',
  lks_: 'the secret of a service client',
};

/**
 * A token from the file that was named, from standard input, or typed unseen.
 * @throws CommandError when the token itself was the argument, and for what is no JWT.
 */
export async function readToken({ args, prompts }: Call): Promise<string> {
  const [file] = args;
  if (file !== undefined && looksLikeToken(file)) throw asArgument();
  const isFile = file !== undefined && file !== '-';
  const text = await (isFile ? readTextFile(file) : prompts.secret('Token (unseen)', '[file]'));
  const token = text.trim().replace(/^Bearer\s+/i, '');
  if (token === '') throw CommandError.usage('There is no token.', 'Give it on standard input or in a file.');
  const kind = OPAQUE[token.slice(0, 4)];
  if (kind === undefined) return token;
  throw CommandError.usage(`This is ${kind}: it is opaque, and nothing can be read from it.`);
}

const looksLikeToken = (text: string): boolean =>
  /^(Bearer )?eyJ[\w-]*\.[\w-]*(\.|$)/i.test(text) || text.slice(0, 4) in OPAQUE;

const asArgument = (): CommandError =>
  CommandError.usage(
    'A token is never an argument: others on this machine can read arguments, and the shell keeps them.',
    'Pipe it in, name a file that holds it, or leave it out to be asked. Consider this one as known to others.',
  );
