/** The outcome of one check of a cluster's history. */
export interface CheckResult {
  title: string;
  /** How many facts were checked: a check without any proves nothing. */
  count: number;
  failures: string[];
}
