import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cursorOf, isAhead, positionOf } from './feed-cursor.js';

const origin = '0123456789abcdef';

/** Snapshots as PostgreSQL writes them: ascending ids of running transactions between the two ends. */
const snapshots = (most: number) =>
  fc
    .record({
      xmin: fc.bigInt(3n, 2n ** 60n),
      gaps: fc.array(fc.bigInt(1n, 1_000_000n), { maxLength: most }),
      rest: fc.bigInt(1n, 1_000n),
    })
    .map(({ xmin, gaps, rest }) => {
      let last = xmin;
      const running = gaps.length === 0 ? [] : [xmin, ...gaps.map((gap) => (last += gap))];
      return `${xmin}:${last + rest}:${running.join(',')}`;
    });

describe('a cursor', () => {
  it('a cursor is safe in a URL and becomes the same position again', () => {
    fc.assert(
      fc.property(snapshots(100), fc.integer({ min: 0, max: 10 ** 11 }), (snapshot, readAt) => {
        const position = { origin, snapshot, readAt };
        const cursor = cursorOf(position);
        expect(cursor).toMatch(/^[\w-]{20,4000}$/);
        expect(positionOf(cursor)).toEqual(position);
      }),
    );
  });

  it('a cursor with too many running transactions goes back to what all of them have passed', () => {
    const running = Array.from({ length: 500 }, (_, index) => 1000 + 2 * index);
    const cursor = cursorOf({ origin, snapshot: `1000:3000:${running.join(',')}`, readAt: 1 });
    expect(cursor.length).toBeLessThan(100);
    expect(positionOf(cursor).snapshot).toBe('1000:1000:');
  });

  it('text that is not exactly a cursor is gone, whatever a lenient decoder makes of it', () => {
    const cursor = cursorOf({ origin, snapshot: '1000:1003:1001', readAt: 5 });
    const zeros = Buffer.from(`1.${origin}.005.1000.3.1-`).toString('base64url');
    const damaged = [
      `${cursor}x`,
      `${cursor}=`,
      `${cursor} `,
      `${cursor}+`,
      ` ${cursor}`,
      `${cursor}AA`,
      zeros,
    ];
    for (const text of damaged) expect(() => positionOf(text), text).toThrow(/unknown or too old/);
  });

  it('any text either becomes a position that is a snapshot, or is gone', () => {
    const parts = fc.array(
      fc.oneof(fc.constantFrom('1', '0', origin, '', '5-', '0-'), fc.nat().map(String)),
      {
        maxLength: 7,
      },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          parts.map((each) => each.join('.')),
          fc.string(),
        ),
        (text) => {
          const cursor = Buffer.from(text).toString('base64url');
          let snapshot: string;
          try {
            ({ snapshot } = positionOf(cursor));
          } catch (error) {
            expect(error).toMatchObject({ code: 'gone' });
            return;
          }
          const [xmin = '', xmax = '', running = ''] = snapshot.split(':');
          const ids = running.split(',').filter(Boolean).map(BigInt);
          expect(BigInt(xmin) > 0n && BigInt(xmin) <= BigInt(xmax)).toBe(true);
          expect(ids.every((id) => id >= BigInt(xmin) && id < BigInt(xmax))).toBe(true);
        },
      ),
    );
  });

  it('a position is ahead of another if it has seen transactions that the other has not begun', () => {
    const at = (snapshot: string) => ({ origin, snapshot, readAt: 1 });
    expect(isAhead(at('10:21:'), at('20:20:'))).toBe(true);
    expect(isAhead(at('10:20:'), at('20:20:'))).toBe(false);
    // As numbers, not as text.
    expect(isAhead(at('9:9:'), at('10:10:'))).toBe(false);
  });
});
