import { isLocale, type Locale } from '../kernel/locale.js';
import type { MailBrand } from './mail-brand.js';
import type { MailContent } from './mail-content.js';
import { MAILS, type LateMailKind, type QueuedMail } from './mail-kind.js';
import type { MailSource, MailSources } from './mail-source.js';
import { contextIn } from './messages/localized-context.js';
import type { MessageContext } from './messages/message-context.js';
import { renderOwn, type OwnMail } from './own-mail.js';

/** An entry of the list of mails, for any kind. */
interface AnyMail {
  readonly kind: string;
  readonly completedBy?: string;
  compose(payload: object, context: MessageContext, completion?: object): MailContent;
}

const BY_KIND = new Map<string, AnyMail>(MAILS.map((mail) => [mail.kind, mail]));

/** Composes the final text of queued mail; the sources complete what is not known before it is sent. */
export class MailComposer {
  readonly #deps;

  constructor(deps: {
    readonly brand: MailBrand;
    readonly sources: MailSources;
    /** The language of mail to recipients who have chosen none. */
    readonly defaultLocale: Locale;
    /** Writes mails in place of the service. */
    readonly render?: OwnMail['render'];
  }) {
    this.#deps = deps;
  }

  /** Returns the final text, or `skip` when the cause of the mail no longer exists. */
  async compose(queued: QueuedMail): Promise<MailContent | 'skip'> {
    const mail = BY_KIND.get(queued.kind);
    if (!mail) throw new TypeError(`There is no mail of kind ${queued.kind}.`);
    const completion = isLate(queued) ? await this.#complete(queued) : undefined;
    if (completion === 'skip') return 'skip';
    const locale = this.#localeOf(queued);
    return (
      (await this.#renderOwn(queued, locale, completion)) ??
      mail.compose(
        queued.payload,
        contextIn(locale, { brand: this.#deps.brand, occurredAt: queued.createdAt }),
        completion,
      )
    );
  }

  async #renderOwn(
    queued: QueuedMail,
    locale: Locale,
    completion?: object,
  ): Promise<MailContent | undefined> {
    const { render } = this.#deps;
    const texts = render && (await renderOwn(render, queued, { completion, locale }));
    return texts && { ...texts, locale, links: linksIn(completion) };
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

/** Returns the addresses that complete a mail. */
const linksIn = (completion: object = {}): string[] =>
  Object.values(completion).filter(
    (value): value is string => typeof value === 'string' && URL.canParse(value),
  );

const isLate = (queued: QueuedMail): queued is QueuedMail<LateMailKind> =>
  BY_KIND.get(queued.kind)?.completedBy !== undefined;
