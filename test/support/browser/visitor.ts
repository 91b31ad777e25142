import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { allowedSince } from '../machine-lag.js';
import { tokensInAddress } from './address.js';
import { Faults } from './faults.js';
import { watch } from './watch.js';

const RESPONDS_WITHIN_MS = 2_000;
/** Timeout of whatever is awaited in a page, also on a loaded machine. */
const DEFAULT_TIMEOUT_MS = 120_000;

export interface VisitOptions {
  /** Defaults to light. */
  colorScheme?: 'light' | 'dark';
  /** Pixels. Defaults to 1280. */
  width?: number;
  /** Pixels. Defaults to 800. */
  height?: number;
  /** Defaults to false. */
  reducedMotion?: boolean;
  /** Defaults to true. */
  javaScript?: boolean;
  /** The language that the browser asks for. Defaults to `en-GB`. */
  locale?: string;
  /** Allowed origins in addition to that of the service: `http://localhost:4000`. */
  origins?: readonly string[];
}

/** A user with their own browser context, without cookies and history, which records every fault. */
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
    context.setDefaultTimeout(DEFAULT_TIMEOUT_MS);
    const faults = new Faults();
    await watch(context, [new URL(home).origin, ...(options.origins ?? [])], faults);
    return new Visitor(await context.newPage(), faults, options.javaScript ?? true);
  }

  /**
   * Expects a fault that belongs to the test, such as the console line about a response 401. It must happen, before or
   * after this call, and is not counted.
   */
  expectFault(pattern: RegExp): void {
    this.#faults.expect(pattern);
  }

  /** Allows a fault that happens or not: Chromium drops a line of the console if the page is left at the same moment. */
  allowFault(pattern: RegExp): void {
    this.#faults.allow(pattern);
  }

  /**
   * Returns the unexpected faults so far: errors and warnings in the console, uncaught errors, violations of
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
    locale: options.locale ?? 'en-GB',
    timezoneId: 'UTC',
  };
}

/** Reports whether a page does not respond. Events arrive in order: after a response all earlier ones are recorded. */
function isStuck(page: Page): Promise<boolean> {
  const answer = page.evaluate(() => false).catch(() => false);
  return Promise.race([answer, tooLong()]);
}

/** Resolves after the time in which a page responds, and what the machine costs meanwhile. */
async function tooLong(): Promise<true> {
  const start = performance.now();
  await sleep(RESPONDS_WITHIN_MS, undefined, { ref: false });
  const allowed = allowedSince(start, RESPONDS_WITHIN_MS);
  return sleep(allowed - RESPONDS_WITHIN_MS, true, { ref: false });
}
