import { chromium, type Browser } from 'playwright-core';
import { beforeAll, onTestFinished } from 'vitest';
import { describeWith } from '../describe-with.js';
import { findChromium } from './chromium.js';
import { Visitor, type VisitOptions } from './visitor.js';

const ARGUMENTS = [
  // Only localhost resolves to an address, so that no request leaves this machine.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
  // Pages are drawn without a simulated GPU, which is a sixteenth of the work.
  '--disable-gpu',
  '--disable-gpu-compositing',
  // The process of the empty page draws the first one, too: a visit starts one process, not two.
  '--renderer-process-limit=1',
];

/**
 * A headless Chromium for all test files of this process, each in contexts of its own. It ends with the process: its pipe
 * closes.
 */
export class TestBrowser {
  static readonly #running = new Map<string, Promise<Browser>>();
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

  /** Launches Chromium, or takes the one that an earlier file has launched. */
  async open(): Promise<void> {
    const earlier = await TestBrowser.#running.get(this.#program)?.catch(() => undefined);
    const isAlive = earlier?.isConnected() === true;
    const browser = isAlive ? Promise.resolve(earlier) : launch(this.#program);
    TestBrowser.#running.set(this.#program, browser);
    this.#browser = await browser;
  }
}

async function launch(program: string): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: program, args: ARGUMENTS });
  // When the run is killed, this process ends by itself, the browser would not.
  process.once('disconnect', () => void browser.close());
  return browser;
}

/**
 * Defines tests that need a real browser, which runs in this process from the first of them on.
 * @param isWhole true if a headless shell does not suffice.
 */
export function describeWithBrowser(
  title: string,
  body: (browser: TestBrowser) => void,
  { isWhole = false }: { isWhole?: boolean } = {},
): void {
  const program = findChromium({ isWhole });
  const install = 'apt-get install chromium, or name one in CHROMIUM_PATH';
  describeWith({ name: 'Chromium', isThere: program !== undefined, install }, title, () => {
    const browser = new TestBrowser(program ?? '');
    beforeAll(() => browser.open());
    body(browser);
  });
}
