/** What the page `/` of a development service shows. It contains no secrets. */
export interface HomeFacts {
  version: string;
  /** The address of the metrics, or `off`. */
  metrics: string;
  /** True if the service has the API reference at `/docs`. */
  docs: boolean;
  /** How the service is set up: name and value of each part. */
  setup: readonly (readonly [name: string, value: string])[];
  /** Settings with a development substitute. */
  defaults: readonly string[];
  /** The settings without which production does not start, each with the way to set it. */
  production: readonly { readonly name: string; readonly fix: string }[];
}
