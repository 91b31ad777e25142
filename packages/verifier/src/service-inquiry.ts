import type { VerifierClock } from './clock.js';
import { unauthorized, unavailable } from './errors.js';
import { requestJson, type Fetch } from './http/request-json.js';
import { dataOf, errorOf } from './json.js';
import { LruMap } from './lru-map.js';
import type { KnownToken } from './tokens/access-tokens.js';
import type { VerifiedCaller } from './tokens/verified-caller.js';
import { VERIFICATION_STATUSES, type VerificationCode } from './verification-code.js';
import { VerificationError } from './verification-error.js';

const isVerificationCode = (code: unknown): code is VerificationCode =>
  typeof code === 'string' && Object.hasOwn(VERIFICATION_STATUSES, code);

const TIMEOUT_MS = 3_000;
const SHARED_MS = 1_000;
const SHARED_TOKENS = 10_000;

/** Asks the service about a token, for requests while the feed is stale: one call per token and second. */
export class ServiceInquiry {
  readonly #deps;
  readonly #answers = new LruMap<{ askedAt: number; answer: Promise<void> }>(SHARED_TOKENS);

  constructor(deps: { readonly baseUrl: string; readonly fetch: Fetch; readonly clock: VerifierClock }) {
    this.#deps = deps;
  }

  /**
   * Throws unless the service accepts the token now.
   * @throws VerificationError with the code of the service; `service_unavailable` for an unusable response.
   */
  assertAccepted(token: string, { digest, caller }: KnownToken): Promise<void> {
    const now = this.#deps.clock.elapsed();
    const shared = this.#answers.get(digest);
    if (shared && now - shared.askedAt < SHARED_MS) return shared.answer;
    const answer = this.#ask(token, caller);
    // Every caller sees the failure; this keeps a failure without a caller from being reported as unhandled.
    answer.catch(() => undefined);
    this.#answers.set(digest, { askedAt: now, answer });
    return answer;
  }

  async #ask(token: string, caller: VerifiedCaller): Promise<void> {
    const { status, body } = await this.#fetchProfile(token);
    if (status === 401 || status === 403) throw refusalOf(status, body);
    // A 200 alone proves little: the page of a proxy may come with one.
    const profile = dataOf(body);
    if (status !== 200 || !profile) throw unavailable(new Error(`/auth/me responded with status ${status}`));
    if (profile.id !== caller.userId || profile.sessionId !== caller.sessionId) throw unauthorized();
  }

  async #fetchProfile(token: string) {
    const { baseUrl, fetch } = this.#deps;
    try {
      return await requestJson(fetch, {
        url: `${baseUrl}/auth/me`,
        init: { headers: { Authorization: `Bearer ${token}`, Accept: 'application/json' } },
        timeoutMs: TIMEOUT_MS,
      });
    } catch (error) {
      throw unavailable(error);
    }
  }
}

function refusalOf(status: 401 | 403, body: unknown): VerificationError {
  const error = errorOf(body);
  if (!error)
    return unavailable(new Error(`/auth/me responded with status ${status}, which is not the service`));
  const other = status === 401 ? 'unauthorized' : 'forbidden';
  return new VerificationError(isVerificationCode(error.code) ? error.code : other, error.message);
}
