import type { InboxMail, InboxMailer, MailKind } from '@latchkey/core';

/** A mail as its recipient sees it. */
export interface CapturedMail {
  /** Undefined for mail that no use case sent. */
  kind: MailKind | undefined;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The first link in the mail. */
  link?: string;
  /** The one-time secret in that link. */
  token?: string;
  /** Every link, in the order of the mail: a registration mail has a second one, for recipients who did not register. */
  links: readonly string[];
  /** The one-time secrets in the links that have one, in the same order. */
  tokens: readonly string[];
}

const TIMEOUT_MS = 5_000;
const PAUSE = 10;

/**
 * The mail of one kit; no mail leaves the process. Mails are in the order of their arrival.
 * @example
 * ```ts
 * const { email } = await kit.user();
 * await kit.auth.passwordReset.request({ email });
 * const { token = '' } = await kit.mail.waitFor(email, 'password_reset');
 * await kit.auth.passwordReset.confirm({ token, newPassword: 'another long password' });
 * ```
 */
export class TestMail {
  readonly #inbox: InboxMailer | undefined;
  /** Mails that were cleared or returned by `waitFor`. */
  readonly #cleared = new Set<string>();
  readonly #given = new Set<string>();

  constructor(inbox: InboxMailer | undefined) {
    this.#inbox = inbox;
  }

  /** Returns every mail since the last `clear`, of the last 200. */
  all(): CapturedMail[] {
    return this.#mails().map(toCaptured);
  }

  /** Returns every mail to one address. */
  to(email: string): CapturedMail[] {
    return this.#mailsTo(email).map(toCaptured);
  }

  /**
   * Returns the next mail to an address, optionally of a kind; each mail is returned once. If it has not
   * arrived yet, waits for it; the timeout defaults to 5 seconds, in milliseconds.
   * @throws Error that names the mails that did arrive.
   */
  async waitFor(
    email: string,
    kind?: MailKind,
    { timeout = TIMEOUT_MS }: { timeout?: number } = {},
  ): Promise<CapturedMail> {
    const deadline = performance.now() + timeout;
    for (;;) {
      const found = this.#mailsTo(email).find(
        (mail) => !this.#given.has(mail.id) && (kind === undefined || mail.kind === kind),
      );
      if (found) {
        this.#given.add(found.id);
        return toCaptured(found);
      }
      if (performance.now() > deadline) throw new Error(this.#absence(email, kind, timeout));
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }

  /** Clears every mail that has arrived. */
  clear(): void {
    for (const { id } of this.#mails()) this.#cleared.add(id);
  }

  #mailsTo(email: string): InboxMail[] {
    const wanted = email.trim().toLowerCase();
    return this.#mails().filter(({ to }) => to.toLowerCase() === wanted);
  }

  #mails(): InboxMail[] {
    if (!this.#inbox) {
      throw new Error(
        'The kit keeps no mail, since SMTP_URL is among its settings: look there, or leave it out.',
      );
    }
    return this.#inbox
      .list()
      .filter(({ id }) => !this.#cleared.has(id))
      .toReversed();
  }

  #absence(email: string, kind: MailKind | undefined, timeout: number): string {
    const wanted = kind === undefined ? 'mail' : `mail of the kind ${kind}`;
    const arrived = this.#mails().map(
      (mail) => `${mail.kind} to ${mail.to}${this.#given.has(mail.id) ? ' (given before)' : ''}`,
    );
    const there = arrived.length === 0 ? 'No mail arrived at all.' : `What arrived: ${arrived.join(', ')}.`;
    return `No ${wanted} to ${email} arrived within ${timeout} ms. ${there}`;
  }
}

function toCaptured({ kind, to, subject, text, html, links }: InboxMail): CapturedMail {
  const [link] = links;
  const token = link === undefined ? null : tokenOf(link);
  return {
    kind,
    to,
    subject,
    text,
    html,
    ...(link !== undefined && { link }),
    ...(token !== null && { token }),
    links,
    tokens: links.map(tokenOf).filter((secret) => secret !== null),
  };
}

const tokenOf = (link: string): string | null => new URL(link).searchParams.get('token');
