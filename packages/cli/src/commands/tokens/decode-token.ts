import type { Command } from 'commander';
import type { DecodedToken } from '@latchkey/core/keys';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import type { Detail } from '../../runtime/details.js';
import { CommandError } from '../../runtime/failure.js';
import { relativeTime } from '../../runtime/relative-time.js';
import type { Terminal } from '../../runtime/terminal.js';
import { readToken } from '../../runtime/token-input.js';

/** The argument of both commands. */
export const TOKEN_FILE = [
  '[file]',
  'a file with the token; defaults to standard input or a prompt',
] as const;

const NOT_VERIFIED = 'NOT VERIFIED. Anyone can create a token with this content.';

/** Claims that are times in seconds since the epoch (RFC 7519 section 4.1, OpenID Connect Core section 2). */
const TIMES = new Set(['iat', 'nbf', 'exp', 'auth_time']);

export function addDecode(tokens: Command, terminal: Terminal): void {
  withCommonOptions(
    tokens
      .command('decode')
      .argument(...TOKEN_FILE)
      .description('Print the content of a token without verifying it.'),
    {
      json: '{ verified: false, header, claims }, with times as they are in the token',
      quiet: 'print only the subject',
      notes:
        'The token comes from standard input, a file or a prompt, never from an argument: arguments can be ' +
        'read by other users of the machine. The signature is not printed. To verify it: latchkey tokens verify. Without a ' +
        'terminal: a name and its value in each line, separated by a tab.',
      examples: [
        ['latchkey tokens decode', 'paste it into a hidden prompt'],
        ['pbpaste | latchkey tokens decode', 'from the clipboard'],
        ['latchkey tokens decode token.txt --json', 'for a program'],
      ],
    },
  ).action(action(terminal, decode));
}

async function decode(call: Call): Promise<void> {
  const decoded = await decodeOrExplain(await readToken(call));
  call.output.note(NOT_VERIFIED);
  call.output.details({
    view: { verified: false, ...decoded },
    details: [{ label: 'verified', text: 'no', aside: 'see: latchkey tokens verify' }, ...detailsOf(decoded)],
    id: claimText(decoded.claims.sub),
  });
}

/** Returns header and claims. @throws CommandError for text that is not a signed JWT. */
export async function decodeOrExplain(token: string): Promise<DecodedToken> {
  const { decodeToken, TokenFault } = await import('@latchkey/core/keys');
  try {
    return decodeToken(token);
  } catch (error) {
    if (!(error instanceof TokenFault)) throw error;
    throw CommandError.usage(
      'This is not a signed JWT.',
      'Access and service tokens begin with eyJ and have three parts separated by dots.',
    );
  }
}

function detailsOf({ header, claims }: DecodedToken): Detail[] {
  return [
    ...Object.entries(header).map(([name, value]) => ({ label: `header ${name}`, text: claimText(value) })),
    ...Object.entries(claims).map(([name, value]) => detailOf(name, value)),
  ];
}

function detailOf(label: string, value: unknown): Detail {
  const time = TIMES.has(label) && typeof value === 'number' ? new Date(value * 1000) : undefined;
  if (time === undefined || Number.isNaN(time.getTime())) return { label, text: claimText(value) };
  const text = time.toISOString();
  return { label, text, aside: relativeTime(text) };
}

function claimText(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
