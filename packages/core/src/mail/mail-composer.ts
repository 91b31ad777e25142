import { isLocale, type Locale } from '../kernel/locale.js';
import type { MailBrand } from './mail-brand.js';
import type { MailContent } from './mail-content.js';
import { MAILS, type LateMailKind, type QueuedMail } from './mail-kind.js';
import type { MailSource, MailSources } from './mail-source.js';
import { contextIn } from './messages/localized-context.js';
import type { MessageContext } from './messages/message-context.js';

interface MailComposerDeps {
  readonly brand: MailBrand;
  readonly sources: MailSources;
  /** The language of mail to recipients who have chosen none. */
  readonly defaultLocale: Locale;
}

/** An entry of the list of mails, for any kind. */
interface AnyMail {
  readonly kind: string;
  readonly completedBy?: string;
  compose(payload: object, context: MessageContext, completion?: object): MailContent;
}

const BY_KIND = new Map<string, AnyMail>(MAILS.map((mail) => [mail.kind, mail]));

/** Composes the final text of queued mail; the sources complete what is not known before it is sent. */
export class MailComposer {
  readonly #deps: MailComposerDeps;

  constructor(deps: MailComposerDeps) {
    this.#deps = deps;
  }

  /** Returns the final text, or `skip` when the cause of the mail no longer exists. */
  async compose(queued: QueuedMail): Promise<MailContent | 'skip'> {
    const mail = BY_KIND.get(queued.kind);
    if (!mail) throw new TypeError(`There is no mail of kind ${queued.kind}.`);
    const completion = isLate(queued) ? await this.#complete(queued) : undefined;
    if (completion === 'skip') return 'skip';
    const facts = { brand: this.#deps.brand, occurredAt: queued.createdAt };
    return mail.compose(queued.payload, contextIn(this.#localeOf(queued), facts), completion);
  }

  /**
   * Returns the language of the recipient's account, else of the cause, such as an invitation, else of the service. A language
   * that another version wrote and this one does not have counts as none.
   */
  #localeOf({ locale, payload }: QueuedMail): Locale {
    const ofCause = 'locale' in payload ? payload.locale : undefined;
    return [locale, ofCause].find(isLocale) ?? this.#deps.defaultLocale;
  }

  #complete(queued: QueuedMail<LateMailKind>): ReturnType<MailSource['complete']> {
    const source: MailSource = this.#deps.sources[queued.kind];
    return source.complete(queued);
  }
}

const isLate = (queued: QueuedMail): queued is QueuedMail<LateMailKind> =>
  BY_KIND.get(queued.kind)?.completedBy !== undefined;
