import type { Command } from 'commander';
import type { PublicKeys, TokenExpectation, TokenVerdict } from '@latchkey/core/keys';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { CommandError, EXIT } from '../../runtime/failure.js';
import { loadKeySet } from '../../runtime/key-set-source.js';
import { printable } from '../../runtime/printable.js';
import { relativeTime } from '../../runtime/relative-time.js';
import { findSettingsKeys } from '../../runtime/settings-keys.js';
import type { Terminal } from '../../runtime/terminal.js';
import { readToken } from '../../runtime/token-input.js';
import { decodeOrExplain, TOKEN_FILE } from './decode-token.js';
import { checkSession, type SessionState } from './token-session.js';

interface VerifyOptions {
  jwks?: string;
  issuer?: string;
  audience?: string;
  online?: boolean;
}

export function addVerify(tokens: Command, terminal: Terminal): void {
  withCommonOptions(
    tokens
      .command('verify')
      .argument(...TOKEN_FILE)
      .description('Check an access or service token as the service does, and say what is wrong with it.')
      .option('--jwks <url or file>', 'a published key set; the keys of the settings unless given')
      .option('--issuer <issuer>', 'who must have issued it; JWT_ISSUER unless given')
      .option('--audience <audience>', 'for whom it must be; JWT_AUDIENCE unless given')
      .option('--online', 'also ask the database whether the session of an access token is still active'),
    {
      json: "{ valid, kind: 'access' | 'service' | null, failed, reason, session: 'active' | 'ended' | 'not checked', header, claims }",
      quiet: 'print nothing',
      notes:
        'Exits with 0 for a good token and with 1 for any other. Checked are form, algorithm, key, signature, type, ' +
        'claims, issuer, audience, start and expiry, with five seconds for clocks that differ; the first that fails is ' +
        'named. Without --online a good token may belong to a session that was ended since. The token comes from ' +
        'standard input, a file or a question, never from the command line.',
      examples: [
        ['latchkey tokens verify token.txt', 'by the keys of the settings'],
        [
          'latchkey tokens verify --jwks https://auth.example.com/.well-known/jwks.json --issuer https://auth.example.com',
          'as another service would',
        ],
        [
          'latchkey tokens verify --online --quiet < token.txt',
          'in a script: would the service accept it now',
        ],
      ],
    },
  ).action(action(terminal, verify));
}

async function verify(call: Call<VerifyOptions>): Promise<void> {
  const token = await readToken(call);
  const decoded = await decodeOrExplain(token);
  const { keys, expected } = await call.progress.during('Reading the keys', () => findMeasure(call.options));
  const { judgeToken } = await import('@latchkey/core/keys');
  const verdict = await judgeToken(token, keys, expected);
  const outcome = toOutcome(
    verdict,
    call.options.online === true ? await checkSession(call, verdict) : undefined,
  );
  call.output.answer({ view: { ...outcome, ...decoded }, text: outcomeText(outcome, decoded.claims) });
  if (!outcome.valid) throw new CommandError(EXIT.failed, `The token is refused (${outcome.failed ?? ''}).`);
}

/** What the token is measured by. */
async function findMeasure({
  jwks,
  issuer,
  audience,
}: VerifyOptions): Promise<{ keys: PublicKeys; expected: TokenExpectation }> {
  const { readTokenSettings } = await import('@latchkey/core/settings');
  const { keys, tokens } =
    jwks === undefined
      ? await findSettingsKeys()
      : { keys: await loadKeySet(jwks), tokens: readTokenSettings().tokens };
  return { keys, expected: { issuer: issuer ?? tokens.issuer, audience: audience ?? tokens.audience } };
}

interface Outcome {
  valid: boolean;
  kind: 'access' | 'service' | null;
  /** The check that failed: `session`, or one of a `TokenVerdict`. */
  failed: string | null;
  reason: string | null;
  session: 'active' | 'ended' | 'not checked';
}

function toOutcome(verdict: TokenVerdict, state: SessionState | undefined): Outcome {
  const kind = verdict.kind ?? null;
  if (!verdict.isValid) {
    return { valid: false, kind, failed: verdict.failed, reason: verdict.reason, session: 'not checked' };
  }
  if (state?.refusal !== undefined) {
    return { valid: false, kind, failed: 'session', reason: state.refusal, session: 'ended' };
  }
  return { valid: true, kind, failed: null, reason: null, session: state ? 'active' : 'not checked' };
}

function outcomeText(
  { valid, kind, failed, reason, session }: Outcome,
  claims: Record<string, unknown>,
): string {
  const what = kind === null ? 'token' : `${kind} token`;
  if (!valid)
    return printable(`Refused: this ${what} fails the check of its ${failed ?? ''}: ${reason ?? ''}`);
  const until = typeof claims.exp === 'number' ? new Date(claims.exp * 1000).toISOString() : '';
  const about = SESSION_WORDS[session];
  return printable(
    `Good: ${what} of ${String(claims.sub)}, expires ${relativeTime(until)} (${until})${about}.`,
  );
}

const SESSION_WORDS: Record<Outcome['session'], string> = {
  active: '; its session is active',
  ended: '',
  'not checked': '',
};
