import type { Auth } from '@latchkey/core';
import { messageOf, typeOf, type WebhookType } from '@latchkey/core/internal/webhooks/webhook-event';

/** The body of a webhook. */
export interface ReceivedWebhook {
  type: WebhookType;
  timestamp: string;
  data: Record<string, unknown>;
}

/**
 * The messages that a receiver of all events of one kit gets, in the order of the audit log. Nothing is sent.
 * @example
 * ```ts
 * const { id } = await kit.user();
 * const messages = await kit.webhooks.received('user.created');
 * messages.at(-1)?.data.userId === id; // → true
 * ```
 */
export class TestWebhooks {
  readonly #tail: ReturnType<Auth['audit']['follow']>;
  readonly #received: ReceivedWebhook[] = [];

  constructor(audit: Auth['audit']) {
    this.#tail = audit.follow({ from: new Date(0) });
  }

  /** Returns every message so far. @param type only of this type. */
  async received(type?: WebhookType): Promise<ReceivedWebhook[]> {
    for (let entries = await this.#tail.next(); entries.length > 0; entries = await this.#tail.next()) {
      for (const entry of entries) {
        const source = { ...entry, occurredAt: new Date(entry.occurredAt) };
        const kind = typeOf(source);
        if (kind !== undefined) this.#received.push(JSON.parse(messageOf(kind, source)) as ReceivedWebhook);
      }
    }
    return this.#received.filter((message) => type === undefined || message.type === type);
  }
}
