import type { NamedTest } from '../../test/support/threat-model.js';

/** A run of named tests, and no others. */
export interface RunRequest {
  tests: readonly NamedTest[];
  /** Files that have changed since the previous run. */
  changed: readonly string[];
  /** Stops at the first failure. */
  bail: boolean;
}

/** The result of a run of named tests. */
export interface TestRun {
  passed: number;
  /** Full titles of the tests that failed. */
  failed: string[];
  /** Failures outside of tests: a file that cannot be loaded, a run that broke off. */
  faults: string[];
}
