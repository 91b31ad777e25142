import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { tokensInAddress } from './address.js';
import { Faults } from './faults.js';
import { watch } from './watch.js';

const ANSWERS_WITHIN_MS = 2_000;

export interface VisitOptions {
  /** Default: light. */
  colorScheme?: 'light' | 'dark';
  /** Pixels; default: 1280. */
  width?: number;
  /** Pixels; default: 800. */
  height?: number;
  /** Default: false. */
  reducedMotion?: boolean;
  /** Default: true. */
  javaScript?: boolean;
  /** Origins beside the service's own that the visit may lead to: `http://localhost:4000`. */
  origins?: readonly string[];
}

/** Somebody with a browser of their own: no cookies, no history, and a list of all that goes wrong in their visit. */
export class Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly #faults: Faults;
  readonly #runsScripts: boolean;
  #hasLeft = false;

  private constructor(page: Page, faults: Faults, runsScripts: boolean) {
    this.page = page;
    this.context = page.context();
    this.#faults = faults;
    this.#runsScripts = runsScripts;
  }

  static async arrive(browser: Browser, home: string, options: VisitOptions = {}): Promise<Visitor> {
    const context = await browser.newContext({ baseURL: home, ...contextOptions(options) });
    const faults = new Faults();
    await watch(context, [new URL(home).origin, ...(options.origins ?? [])], faults);
    return new Visitor(await context.newPage(), faults, options.javaScript ?? true);
  }

  /**
   * Announces a fault that belongs to the test, such as the console's line about an answer 401: it must happen, before
   * or after, and does not count.
   */
  expectFault(pattern: RegExp): void {
    this.#faults.expect(pattern);
  }

  /**
   * What went wrong so far and was not announced: errors and warnings in the console, uncaught errors, violations of
   * the content security policy, failed requests, requests to others than the service, secrets in the address bar.
   */
  async faults(): Promise<string[]> {
    const found = await Promise.all(this.context.pages().map((page) => this.#faultsIn(page)));
    return [...this.#faults.unexpected(), ...found.flat()];
  }

  async #faultsIn(page: Page): Promise<string[]> {
    if (await isStuck(page)) return [`does not answer: ${page.url()}`];
    return this.#runsScripts ? tokensInAddress(page) : [];
  }

  /** Ends the visit, once. @throws AssertionError when it had faults. */
  async leave(): Promise<void> {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    try {
      expect([...(await this.faults()), ...this.#faults.missing()], 'faults of the visit').toEqual([]);
    } finally {
      await this.context.close();
    }
  }
}

function contextOptions(options: VisitOptions): BrowserContextOptions {
  return {
    colorScheme: options.colorScheme ?? 'light',
    viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
    reducedMotion: options.reducedMotion ? 'reduce' : 'no-preference',
    javaScriptEnabled: options.javaScript ?? true,
    locale: 'en-GB',
    timezoneId: 'UTC',
  };
}

/** Events come in order: once a page has answered, those that were on their way are here. */
function isStuck(page: Page): Promise<boolean> {
  const answer = page.evaluate(() => false).catch(() => false);
  return Promise.race([answer, sleep(ANSWERS_WITHIN_MS, true, { ref: false })]);
}
