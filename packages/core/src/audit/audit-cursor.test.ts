import { describe, expect, it } from 'vitest';
import { cursorOf, positionOf } from '../kernel/row-position.js';
import { tailPositionOf, tailTextOf } from './audit-cursor.js';

const position = { microseconds: '1764000000000000', id: '018f4e6e-0000-7000-8000-00000000000a' };
const seen = { microseconds: '1764000000000000', transactionId: '1234' };
const encoded = (text: string): string => Buffer.from(text).toString('base64url');

/** Texts that a lenient decoder takes for the same cursor. */
const damagedOnes = (cursor: string): string[] =>
  ['x', '=', '==', ' ', '!', 'AA', '\n'].flatMap((extra) => [`${cursor}${extra}`, `${extra}${cursor}`]);

describe('a cursor of the audit log', () => {
  it('becomes the same position again', () => {
    expect(positionOf(cursorOf(position))).toEqual(position);
    for (const reading of [undefined, { horizon: seen, after: position }])
      expect(tailPositionOf(tailTextOf({ seen, reading }))).toEqual({ seen, reading });
  });

  it('is accepted in the form in which it was issued only', () => {
    const others = [
      `0${position.microseconds}.${position.id}`,
      `${position.microseconds}.${position.id.toUpperCase()}`,
    ];
    for (const text of [...damagedOnes(cursorOf(position)), ...others.map(encoded)])
      expect(() => positionOf(text), text).toThrow('cursor: is invalid');
    const tail = tailTextOf({ seen, reading: { horizon: seen, after: position } });
    for (const text of [...damagedOnes(tail), encoded('t.01.1'), encoded(`t.1.1.1.1.01.${position.id}`)])
      expect(() => tailPositionOf(text), text).toThrow('cursor: is invalid');
  });
});
