import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { describeWith } from '../describe-with.js';
import { findChromium } from './chromium.js';
import { Visitor, type VisitOptions } from './visitor.js';

/** Only localhost resolves to an address, so that no request leaves this machine. */
const REACHES_ONLY_THIS_MACHINE =
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1';

/** A headless Chromium that runs during its `describeWithBrowser`. */
export class TestBrowser {
  readonly #program: string;
  #browser: Browser | undefined;

  constructor(program: string) {
    this.#program = program;
  }

  /**
   * Opens a new browser context without cookies for this test. It is closed at the end; the test fails if it had faults.
   * @param home address of the service, `TestService.publicUrl`: paths are relative to it.
   */
  async visit(home: string, options?: VisitOptions): Promise<Visitor> {
    if (!this.#browser) throw new TypeError('The browser runs in tests and hooks only.');
    const visitor = await Visitor.arrive(this.#browser, home, options);
    onTestFinished(() => visitor.leave());
    return visitor;
  }

  async launch(): Promise<void> {
    this.#browser = await chromium.launch({
      executablePath: this.#program,
      args: [REACHES_ONLY_THIS_MACHINE],
    });
    process.once('disconnect', this.#onDisconnect);
  }

  async close(): Promise<void> {
    process.off('disconnect', this.#onDisconnect);
    await this.#browser?.close();
    this.#browser = undefined;
  }

  /** Closes the browser when the run is killed: this process ends by itself, the browser would not. */
  readonly #onDisconnect = (): void => void this.close();
}

/** Defines tests that need a real browser, which is started before them and closed after them. */
export function describeWithBrowser(title: string, body: (browser: TestBrowser) => void): void {
  const program = findChromium();
  const install = 'apt-get install chromium, or name one in CHROMIUM_PATH';
  describeWith({ name: 'Chromium', isThere: program !== undefined, install }, title, () => {
    const browser = new TestBrowser(program ?? '');
    beforeAll(() => browser.launch());
    afterAll(() => browser.close());
    body(browser);
  });
}
