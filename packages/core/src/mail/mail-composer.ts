import type { MailBrand } from './mail-brand.js';
import type { MailContent } from './mail-content.js';
import { MAILS, type LateMailKind, type QueuedMail } from './mail-kind.js';
import type { MailSource, MailSources } from './mail-source.js';
import type { MessageContext } from './messages/layout.js';

interface MailComposerDeps {
  readonly brand: MailBrand;
  readonly sources: MailSources;
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
    const context = { brand: this.#deps.brand, occurredAt: queued.createdAt };
    return mail.compose(queued.payload, context, completion);
  }

  #complete(queued: QueuedMail<LateMailKind>): ReturnType<MailSource['complete']> {
    const source: MailSource = this.#deps.sources[queued.kind];
    return source.complete(queued);
  }
}

const isLate = (queued: QueuedMail): queued is QueuedMail<LateMailKind> =>
  BY_KIND.get(queued.kind)?.completedBy !== undefined;
