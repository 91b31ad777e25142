import { describe, it } from 'vitest';

/** Something a test needs and a machine may lack. */
export interface Requirement {
  /** Names it in titles. */
  name: string;
  isThere: boolean;
  /** Instructions for installing it. */
  install: string;
}

/**
 * `describe` for tests that need something of the machine. Where it is missing they are skipped, with a title that says
 * what to install; in CI (`CI=true`) they fail instead.
 */
export function describeWith({ name, isThere, install }: Requirement, title: string, body: () => void): void {
  if (isThere) {
    describe(title, body);
  } else if (process.env.CI === 'true') {
    describe(title, () => {
      it(`needs ${name}`, () => {
        throw new Error(`${name} is missing: ${install}`);
      });
    });
  } else {
    describe.skip(`${title} (skipped: ${install})`, body);
  }
}
