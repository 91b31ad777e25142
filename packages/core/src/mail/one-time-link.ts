/** A link whose secret is valid once. */
export interface OneTimeLink {
  /** Absolute URL, built from settings only. */
  url: string;
  /** Validity in seconds from now. */
  lifetime: number;
  /** When it stops working, by the database's clock; set where the mail names the day. */
  expiresAt?: Date;
}
