import { afterEach, expect, it } from 'vitest';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { CircuitBreaker } from './circuit-breaker.js';

let isBack = false;
let probes = 0;
let breaker: CircuitBreaker;

function newBreaker(failures: number): CircuitBreaker {
  isBack = false;
  probes = 0;
  breaker = new CircuitBreaker({
    failures,
    probeInterval: 10,
    probe: () => {
      probes += 1;
      return isBack ? Promise.resolve() : Promise.reject(new Error('still away'));
    },
  });
  return breaker;
}

afterEach(() => breaker.stop());

it('the circuit opens after the configured number of failures in a row', () => {
  newBreaker(3);
  breaker.failed();
  breaker.failed();
  breaker.succeeded();
  breaker.failed();
  breaker.failed();
  expect(breaker.isOpen).toBe(false);
  breaker.failed();
  expect(breaker.isOpen).toBe(true);
});

it('an open circuit closes when a probe succeeds, without any caller', async () => {
  newBreaker(1).failed();
  await waitUntil(() => probes >= 2, { what: 'two probes' });
  expect(breaker.isOpen).toBe(true);
  isBack = true;
  await waitUntil(() => !breaker.isOpen, { what: 'the circuit to close' });
  const probesUntilClosed = probes;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(probes).toBe(probesUntilClosed);
});

it('a success closes an open circuit at once', () => {
  newBreaker(1).failed();
  breaker.succeeded();
  expect(breaker.isOpen).toBe(false);
});

it('a stopped breaker does not probe', async () => {
  newBreaker(1).failed();
  breaker.stop();
  breaker.failed();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(probes).toBe(0);
});
