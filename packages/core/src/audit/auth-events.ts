import { withDeadline } from '../kernel/deadline.js';
import type { Logger } from '../kernel/logger.js';
import { didYouMean } from '../kernel/near-names.js';
import { AUDIT_EVENTS, type AuditEventName } from './audit-event.js';
import type { AuthEvent, AuthEventListener } from './auth-event.js';

interface Subscription {
  event: AuditEventName | '*';
  listener: AuthEventListener;
}

/** What is to be delivered. Text, so that each listener gets an event of its own. */
interface Delivery {
  event: AuditEventName;
  text: string;
}

/** Milliseconds that closing waits for listeners. */
const PATIENCE = 5_000;

/**
 * Tells a host app of what was written to the audit log. At most once: an event is lost when the process ends between
 * commit and delivery. In order: every listener hears the events of this process as it learned of their commits, and
 * none waits for the promise of the one before. Never in the way: delivery begins in a turn of the event loop of its own,
 * after the use case has returned.
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
   * Listens to one kind of event, or with `'*'` to all. A listener that is added twice hears twice.
   * @returns ends this subscription: from then on the listener is not called. Calling it twice is fine.
   * @throws TypeError for a name that no event has, or a listener that is no function.
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

  /** Waits until listeners are done with what was emitted, at most 5 seconds. */
  async settle(): Promise<void> {
    try {
      await withDeadline(this.#settled(), PATIENCE, 'Listeners of events take too long.');
    } catch {
      this.#logger.warn(
        { running: this.#running.size },
        'Listeners of events were not waited for any longer.',
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
      // A listener may end subscriptions and begin new ones while it is told.
      for (const subscription of [...this.#subscriptions]) {
        const isMeant = subscription.event === '*' || subscription.event === event;
        if (isMeant && this.#subscriptions.has(subscription)) this.#tell(subscription, text);
      }
    }
  }

  #tell({ listener }: Subscription, text: string): void {
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
      this.#logger.error({ err: error, event: name, id }, 'A listener of events failed.');
    }
  }
}

const NAMES: readonly string[] = [...AUDIT_EVENTS, '*'];

const isKnown = (event: string): event is AuditEventName | '*' => NAMES.includes(event);

const unknownEvent = (given: string): string =>
  `auth.on: "${given}" is no event.${didYouMean(given, AUDIT_EVENTS)} ` +
  `Events are the names in the audit log, and '*' for all: ${AUDIT_EVENTS.join(', ')}.`;
