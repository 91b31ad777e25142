import { AuthError } from '@latchkey/core';
import type { Endpoint, PathParams } from './endpoint.js';

interface Found {
  endpoint: Endpoint;
  /** @throws AuthError `validation_error` for values that are not percent-encoded UTF-8. */
  readParams: () => PathParams;
}

const NO_PARAMS: PathParams = {};
const noParams = (): PathParams => NO_PARAMS;

/**
 * Finds the endpoint of a path. Paths match exactly, in the case and with the slashes they have: a proxy rule for `/internal`
 * does not cover `/Internal`, so that path must not match either.
 */
export class EndpointTable {
  readonly #exact = new Map<string, Endpoint>();
  /** By the first segment, so that few are tried. */
  readonly #patterns = new Map<string, { endpoint: Endpoint; expression: RegExp }[]>();

  /** @throws TypeError when a path is in the table twice. */
  constructor(endpoints: readonly Endpoint[]) {
    for (const endpoint of endpoints) this.#add(endpoint);
  }

  find(path: string): Found | undefined {
    const exact = this.#exact.get(path);
    if (exact) return { endpoint: exact, readParams: noParams };
    for (const { endpoint, expression } of this.#patterns.get(firstSegment(path)) ?? []) {
      const match = expression.exec(path);
      if (match) return { endpoint, readParams: () => decoded(match.groups ?? {}) };
    }
    return undefined;
  }

  #add(endpoint: Endpoint): void {
    const { path } = endpoint;
    if (!path.includes('{')) {
      if (this.#exact.has(path)) throw new TypeError(`${path} is in the table twice`);
      this.#exact.set(path, endpoint);
      return;
    }
    const patterns = this.#patterns.get(firstSegment(path)) ?? [];
    this.#patterns.set(firstSegment(path), [...patterns, { endpoint, expression: expressionOf(path) }]);
  }
}

const firstSegment = (path: string): string => path.split('/', 2)[1] ?? '';

function expressionOf(path: string): RegExp {
  const source = path
    .replace(/[.*?^$()[\]|\\]/g, '\\$&')
    .replace(/\{\+(\w+)\}/g, '(?<$1>.+)')
    .replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return new RegExp(`^${source}$`);
}

function decoded(values: Readonly<Record<string, string>>): PathParams {
  try {
    return Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
  } catch {
    throw AuthError.validation('The request is malformed.');
  }
}
