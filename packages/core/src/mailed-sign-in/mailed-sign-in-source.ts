import { randomBytes } from 'node:crypto';
import { digestOf, generateSecret } from '../kernel/secret.js';
import type { QueuedMail } from '../mail/mail-kind.js';
import type { MailSource } from '../mail/mail-source.js';
import type { MailedCode } from '../mail/messages/mailed-sign-in.js';
import type { Database } from '../storage/database.js';
import { isStaff } from '../users/authority.js';
import type { MailedSignInRepository } from '../users/mailed-sign-in-repository.js';
import type { UserRepository } from '../users/user-repository.js';
import { maySignIn } from '../users/user.js';
import { digestOfMailedCode } from './mailed-code.js';

/** Crockford's base32: without letters that are mistaken for digits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** 40 bits: five guesses are nothing against them, and the client's verifier is needed as well. */
const CODE_LENGTH = 8;

/** Returns a new code, such as `K7QM-2XWD`. */
function generateMailedCode(): string {
  // 32 divides 256, so each character is equally likely.
  const text = [...randomBytes(CODE_LENGTH)].map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
  return `${text.slice(0, CODE_LENGTH / 2)}-${text.slice(CODE_LENGTH / 2)}`;
}

const TOKEN_PREFIX = 'lkm_';
/** Seconds in which the link and the code can be used. */
const LIFETIME = 15 * 60;

/**
 * Creates the link and the code of a sign-in when its mail is due. Only then, and not while a client waits for the response, it is
 * decided whether the mail has a recipient.
 */
export class MailedSignInSource implements MailSource<'mailed_sign_in'> {
  readonly #deps;

  constructor(deps: {
    readonly database: Database;
    readonly users: UserRepository;
    readonly mailedSignIns: MailedSignInRepository;
    /** Public address of the service, without a trailing slash. */
    readonly baseUrl: string;
  }) {
    this.#deps = deps;
  }

  /**
   * Returns the secrets and stores their digests; `skip` for an unknown address, for staff, a user who may not sign in or has another
   * address now, the fourth mail of an hour, and a request that was made before the password was set.
   */
  async complete(mail: QueuedMail<'mailed_sign_in'>): Promise<MailedCode | 'skip'> {
    const { userId, challenge } = mail.payload;
    if (userId === null) return 'skip';
    const token = generateSecret(TOKEN_PREFIX);
    const code = generateMailedCode();
    const isIssued = await this.#deps.database.transaction(async (trx) => {
      const user = (await this.#deps.users.lock([userId], trx)).get(userId);
      if (user?.email !== mail.recipient || !maySignIn(user) || isStaff(user.globalRole)) return false;
      const secrets = { tokenDigest: digestOf(token), codeDigest: digestOfMailedCode(code) };
      const issued = { id: mail.id, userId, challenge, ...secrets, lifetime: LIFETIME };
      return this.#deps.mailedSignIns.issue({ ...issued, requestedAt: mail.createdAt }, trx);
    });
    if (!isIssued) return 'skip';
    // The code stays in the browser: what is behind the # is sent to no server.
    return { url: `${this.#deps.baseUrl}/login?by=mail&token=${token}#${code}`, code, lifetime: LIFETIME };
  }
}
