/** A response of the feed that is no success. */
export class FeedRefusal extends Error {
  override readonly name = 'FeedRefusal';
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, message: string, retryAfterSeconds?: number) {
    super(message);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** True if a retry with the same settings is of no use: the credential, the URL or the service is wrong. */
  get isPermanent(): boolean {
    return this.status >= 400 && this.status < 500 && ![408, 410, 429].includes(this.status);
  }
}

/** The stream was accepted, but nothing of it arrived in time: a proxy may buffer it. */
export class StreamBlocked extends Error {
  override readonly name = 'StreamBlocked';
}

const ADVICE: Record<number, string> = {
  401: 'Check the credential of createVerifier.',
  403: 'Check the credential of createVerifier; a service client requires the scope revocations:read.',
  404: 'Check the url of createVerifier, and that the service is new enough to have the feed.',
};

/** Returns the message of a refusal, with the code of the service. */
export const refusalMessage = (what: string, status: number, code: string | undefined): string =>
  [`${what} responded with status ${status}${code === undefined ? '' : ` (${code})`}.`, ADVICE[status]]
    .filter((part) => part !== undefined)
    .join(' ');
