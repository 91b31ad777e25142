import type { Reporter, TestCase, TestModule } from 'vitest/node';
import type { TestRun } from './test-run.js';

/** Collects the results of one run at a time, and prints nothing. */
export class ResultCollector implements Reporter {
  #run: TestRun = { passed: 0, failed: [], faults: [] };
  #onFirstFailure: () => void = () => undefined;

  start(onFirstFailure: () => void): void {
    this.#run = { passed: 0, failed: [], faults: [] };
    this.#onFirstFailure = onFirstFailure;
  }

  result(unhandledErrors: readonly unknown[]): TestRun {
    return { ...this.#run, faults: [...this.#run.faults, ...unhandledErrors.map(messageOf)] };
  }

  onTestCaseResult(test: TestCase): void {
    const { state } = test.result();
    if (state === 'passed') this.#run.passed += 1;
    if (state !== 'failed') return;
    this.#run.failed.push(test.fullName.replaceAll(' > ', ' '));
    if (this.#run.failed.length === 1) this.#onFirstFailure();
  }

  /** A file that cannot be loaded and a group whose preparation fails have no test that fails. */
  onTestModuleEnd(module: TestModule): void {
    if (module.state() !== 'failed' || !module.children.allTests('failed').next().done) return;
    const groups = [...module.children.allSuites()];
    const errors = [module, ...groups].flatMap((each) => each.errors());
    this.#run.faults.push(`${module.relativeModuleId}: ${errors.map(messageOf).join('\n')}`);
  }
}

const messageOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
