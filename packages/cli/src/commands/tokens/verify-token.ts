import type { Command } from 'commander';
import type { PublicKeys, TokenExpectation, TokenVerdict, VerifiedAccessToken } from '@latchkey/core/keys';
import type { Administration } from '@latchkey/operations';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { withAdministration } from '../../runtime/connection.js';
import { CommandError, EXIT } from '../../runtime/failure.js';
import { loadKeySet } from '../../runtime/key-set-source.js';
import { printable } from '../../runtime/printable.js';
import { relativeTime } from '../../runtime/relative-time.js';
import { findSettingsKeys } from '../../runtime/settings-keys.js';
import type { Terminal } from '../../runtime/terminal.js';
import { readToken } from '../../runtime/token-input.js';
import { decodeOrExplain, TOKEN_FILE } from './decode-token.js';

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
      .description('Verify an access or service token as the service does, and explain why it is rejected.')
      .option('--jwks <url or file>', 'a published key set; defaults to the keys of the settings')
      .option('--issuer <issuer>', 'the expected issuer; defaults to JWT_ISSUER')
      .option('--audience <audience>', 'the expected audience; defaults to JWT_AUDIENCE')
      .option('--online', 'also check in the database that the session of an access token is active'),
    {
      json: "{ valid, kind: 'access' | 'service' | null, failed, reason, session: 'active' | 'ended' | 'not checked', header, claims }",
      quiet: 'print nothing',
      notes:
        'Exits with 0 for a valid token and with 1 for any other. Checks form, algorithm, key, signature, type, ' +
        'claims, issuer, audience, start and expiry, with five seconds of clock skew, and reports the first failure. ' +
        'Without --online a valid token may belong to a session that has ended. The token comes from ' +
        'standard input, a file or a prompt, never from an argument.',
      examples: [
        ['latchkey tokens verify token.txt', 'with the keys of the settings'],
        [
          'latchkey tokens verify --jwks https://auth.example.com/.well-known/jwks.json --issuer https://auth.example.com',
          'as another service does',
        ],
        [
          'latchkey tokens verify --online --quiet < token.txt',
          'in a script: does the service accept it now',
        ],
      ],
    },
  ).action(action(terminal, verify));
}

async function verify(call: Call<VerifyOptions>): Promise<void> {
  const token = await readToken(call);
  const decoded = await decodeOrExplain(token);
  const { keys, expected } = await call.progress.during('Reading the keys', () =>
    findExpectation(call.options),
  );
  const { judgeToken } = await import('@latchkey/core/keys');
  const verdict = await judgeToken(token, keys, expected);
  const outcome = toOutcome(
    verdict,
    call.options.online === true ? await checkSession(call, verdict) : undefined,
  );
  call.output.answer({ view: { ...outcome, ...decoded }, text: outcomeText(outcome, decoded.claims) });
  if (!outcome.valid) throw new CommandError(EXIT.failed, `The token is rejected (${outcome.failed ?? ''}).`);
}

/** Returns the keys and the expected issuer and audience. */
async function findExpectation({
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
  if (!valid) return printable(`Rejected: the ${failed ?? ''} of this ${what} is not valid: ${reason ?? ''}`);
  const until = typeof claims.exp === 'number' ? new Date(claims.exp * 1000).toISOString() : '';
  const about = SESSION_WORDS[session];
  return printable(
    `Valid: ${what} of ${String(claims.sub)}, expires ${relativeTime(until)} (${until})${about}.`,
  );
}

const SESSION_WORDS: Record<Outcome['session'], string> = {
  active: '; its session is active',
  ended: '',
  'not checked': '',
};

/** The state of a token's session, by the database. */
interface SessionState {
  /** The reason why the session is not active; undefined if it is. */
  refusal: string | undefined;
}

/** Checks the session of a valid access token in the database. Other tokens have no session to check. */
async function checkSession(call: Call, verdict: TokenVerdict): Promise<SessionState | undefined> {
  if (!verdict.isValid) return undefined;
  if (verdict.kind === 'service') {
    call.output.note('A service token belongs to no session: there is nothing to check.');
    return undefined;
  }
  const { accessToken } = verdict;
  let state: SessionState | undefined;
  await withAdministration(call, async ({ administration }) => {
    state = { refusal: await refusalOf(administration, accessToken) };
  });
  return state;
}

async function refusalOf(
  { sessionStatus }: Administration,
  token: VerifiedAccessToken,
): Promise<string | undefined> {
  const { AuthError } = await import('@latchkey/core');
  try {
    await sessionStatus.assertActive(token);
    return undefined;
  } catch (error) {
    // An unavailable database does not make a token invalid.
    if (!AuthError.is(error) || error.code === 'service_unavailable') throw error;
    return error.message;
  }
}
