/** What is known of the caller's machine: kept on sessions and audit rows, never trusted for a decision. */
export interface ClientInfo {
  /** The address as the trusted proxies report it. */
  ipAddress: string | null;
  /** At most 256 characters. */
  userAgent: string | null;
  /** What the client calls itself (`X-Device-Name`), at most 100 characters. */
  deviceName: string | null;
  /** The id that ties an answer to its log lines and audit rows. */
  requestId: string | null;
}

export const unknownClient: ClientInfo = {
  ipAddress: null,
  userAgent: null,
  deviceName: null,
  requestId: null,
};
