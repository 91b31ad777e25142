import { withDeadline } from '../kernel/deadline.js';
import type { Logger } from '../kernel/logger.js';
import { didYouMean } from '../kernel/near-names.js';
import { AUDIT_EVENTS, type AuditEventName } from './audit-event.js';
import type { AuthEvent, AuthEventListener } from './auth-event.js';

interface Subscription {
  event: AuditEventName | '*';
  listener: AuthEventListener;
}

/** An event to deliver. Text, so that each listener gets an object of its own. */
interface Delivery {
  event: AuditEventName;
  text: string;
}

/** Milliseconds that closing waits for listeners. */
const SETTLE_TIMEOUT_MS = 5_000;

/**
 * Notifies a host app of the entries of the audit log. At most once: an event is lost if the process ends
 * between commit and delivery. In order: every listener receives the events of this process in the order in
 * which their commits became known, and none waits for the promise of the previous one. Never blocking:
 * delivery begins in a turn of the event loop of its own, after the use case has returned.
 */
export class AuthEvents {
  readonly #logger: Logger;
  readonly #subscriptions = new Set<Subscription>();
  readonly #running = new Set<Promise<void>>();
  #waiting: Delivery[] = [];

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /**
   * Listens to one kind of event, or with `'*'` to all. A listener that is added twice is called twice.
   * @returns a function that ends this subscription: from then on the listener is not called. Calling it
   * twice is safe.
   * @throws TypeError for a name that no event has, or a listener that is not a function.
   */
  on(event: AuditEventName | '*', listener: AuthEventListener): () => void {
    if (!isKnown(event)) throw new TypeError(unknownEvent(String(event)));
    if (typeof listener !== 'function') {
      throw new TypeError(`auth.on('${event}', listener): the listener must be a function.`);
    }
    const subscription = { event, listener };
    this.#subscriptions.add(subscription);
    return () => void this.#subscriptions.delete(subscription);
  }

  /** Takes an event whose row is committed. Returns at once and never throws. */
  emit(event: AuthEvent): void {
    if (this.#subscriptions.size === 0) return;
    this.#waiting.push({ event: event.event, text: JSON.stringify(event) });
    if (this.#waiting.length === 1) {
      setImmediate(() => {
        this.#deliver();
      });
    }
  }

  /** Waits until listeners have finished with the emitted events, at most 5 seconds. */
  async settle(): Promise<void> {
    try {
      await withDeadline(this.#settled(), SETTLE_TIMEOUT_MS, 'Event listeners take too long.');
    } catch {
      this.#logger.warn(
        { running: this.#running.size },
        'Event listeners did not finish in time; closing without them.',
      );
      this.#running.clear();
    }
  }

  async #settled(): Promise<void> {
    while (this.#waiting.length > 0 || this.#running.size > 0) {
      this.#deliver();
      await Promise.all(this.#running);
    }
  }

  #deliver(): void {
    const deliveries = this.#waiting;
    this.#waiting = [];
    for (const { event, text } of deliveries) {
      // A listener may end subscriptions and begin new ones while it is called.
      for (const subscription of [...this.#subscriptions]) {
        const isMeant = subscription.event === '*' || subscription.event === event;
        if (isMeant && this.#subscriptions.has(subscription)) this.#notify(subscription, text);
      }
    }
  }

  #notify({ listener }: Subscription, text: string): void {
    const running = this.#call(listener, JSON.parse(text) as AuthEvent).finally(() => {
      this.#running.delete(running);
    });
    this.#running.add(running);
  }

  async #call(listener: AuthEventListener, event: AuthEvent): Promise<void> {
    const { event: name, id } = event;
    try {
      await listener(event);
    } catch (error) {
      this.#logger.error({ err: error, event: name, id }, 'An event listener failed.');
    }
  }
}

const NAMES: readonly string[] = [...AUDIT_EVENTS, '*'];

const isKnown = (event: string): event is AuditEventName | '*' => NAMES.includes(event);

const unknownEvent = (given: string): string =>
  `auth.on: "${given}" is not an event.${didYouMean(given, AUDIT_EVENTS)} ` +
  `Events are the names in the audit log, and '*' for all: ${AUDIT_EVENTS.join(', ')}.`;
