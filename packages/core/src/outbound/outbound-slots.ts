import { OutboundError } from './outbound-error.js';

const PER_PROCESS = 20;
const PER_HOST = 4;
/** Work in the background leaves the others free, so that no request of a user waits behind it. */
const PER_PROCESS_IN_BACKGROUND = 16;

/** Limits the requests that run at the same time: 20 of a process, 4 to a host. The others wait in order. */
export class OutboundSlots {
  readonly #byHost = new Map<string, number>();
  readonly #waiting: { host: string; most: number; begin: () => void }[] = [];
  #running = 0;

  /**
   * Waits for a slot, at most `timeoutMs`. @returns a function that frees it.
   * @throws OutboundError `timeout`
   */
  async take(host: string, isBackground: boolean, timeoutMs: number): Promise<() => void> {
    const most = isBackground ? PER_PROCESS_IN_BACKGROUND : PER_PROCESS;
    if (!this.#isFree(host, most)) await this.#wait(host, most, timeoutMs);
    else this.#occupy(host);
    return () => this.#release(host);
  }

  #wait(host: string, most: number, timeoutMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(new OutboundError('timeout', 'too many requests to the outside are running'));
      }, timeoutMs);
      const begin = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const waiting = { host, most, begin };
      this.#waiting.push(waiting);
    });
  }

  #isFree = (host: string, most: number): boolean =>
    this.#running < most && (this.#byHost.get(host) ?? 0) < PER_HOST;

  #occupy(host: string): void {
    this.#running += 1;
    this.#byHost.set(host, (this.#byHost.get(host) ?? 0) + 1);
  }

  #release(host: string): void {
    this.#running -= 1;
    const left = (this.#byHost.get(host) ?? 1) - 1;
    if (left === 0) this.#byHost.delete(host);
    else this.#byHost.set(host, left);
    const index = this.#waiting.findIndex((next) => this.#isFree(next.host, next.most));
    if (index === -1) return;
    const [next] = this.#waiting.splice(index, 1);
    if (!next) return;
    this.#occupy(next.host);
    next.begin();
  }
}
