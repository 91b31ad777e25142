/** A link whose secret is valid once. */
export interface OneTimeLink {
  /** Absolute URL, built from settings only. */
  url: string;
  /** Validity in seconds from now. */
  lifetime: number;
  /** Expiry by the database's clock; set where the mail names the day. */
  expiresAt?: Date;
}
