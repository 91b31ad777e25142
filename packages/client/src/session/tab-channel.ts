/** Reports to the other tabs that the stored session has changed. Does nothing without a name or `BroadcastChannel`. */
export class TabChannel<Message> {
  readonly #channel: BroadcastChannel | undefined;

  constructor(name: string | undefined, receive: (message: Message) => void) {
    if (name === undefined || typeof BroadcastChannel === 'undefined') return;
    this.#channel = new BroadcastChannel(name);
    this.#channel.onmessage = ({ data }: MessageEvent<Message>) => receive(data);
    // In Node an open channel would keep the process running.
    (this.#channel as { unref?: () => void }).unref?.();
  }

  post(message: Message): void {
    this.#channel?.postMessage(message);
  }

  close(): void {
    this.#channel?.close();
  }
}
