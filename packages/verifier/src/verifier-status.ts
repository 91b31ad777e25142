/** The state of a verifier, for health checks and metrics. */
export interface VerifierStatus {
  /** `live` while revocations arrive, `stale` while `whenStale` decides. */
  readonly state: 'live' | 'stale';
  /** Time at which this state was noticed. */
  readonly since: Date;
  /** The last sign of life of the service; undefined before the first. */
  readonly heardAt: Date | undefined;
  /** Sessions and users with a revocation. */
  readonly entries: number;
  /** Remembered tokens. */
  readonly tokens: number;
  /** Published keys. */
  readonly keys: number;
  /** `poll` where event streams do not come through. */
  readonly transport: 'stream' | 'poll';
  /** The last failure of the feed; undefined after a success. */
  readonly error: string | undefined;
}
