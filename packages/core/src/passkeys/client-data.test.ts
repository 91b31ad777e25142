import { describe, expect, it } from 'vitest';
import { readClientData } from './client-data.js';

const encode = (text: string | Buffer): string => Buffer.from(text).toString('base64url');
const read = (value: unknown) => readClientData(encode(JSON.stringify(value)));

const RIGHT = { type: 'webauthn.get', challenge: 'abc', origin: 'https://example.com' };

describe('client data', () => {
  it('client data yields challenge and origin, and unknown members are ignored', () => {
    const seen = { challenge: 'abc', origin: 'https://example.com', isEmbedded: false };
    expect(read(RIGHT)).toEqual(seen);
    expect(read({ ...RIGHT, crossOrigin: false, other_keys_can_be_added_here: 'x' })).toEqual(seen);
    expect(readClientData(encode(`\ufeff${JSON.stringify(RIGHT)}`))).toEqual(seen);
  });

  it.each([
    { crossOrigin: true },
    { crossOrigin: 'false' },
    { crossOrigin: null },
    { topOrigin: 'https://example.com' },
    { crossOrigin: false, topOrigin: '' },
  ])('client data with %j comes from a frame', (members) => {
    expect(read({ ...RIGHT, ...members })?.isEmbedded).toBe(true);
  });

  it.each([
    ['', 'nothing'],
    [encode('{'), 'no JSON'],
    [encode('null'), 'no object'],
    [encode('[]'), 'a list'],
    [encode('{"challenge":"abc"}'), 'no origin'],
    [encode('{"challenge":1,"origin":"x"}'), 'a challenge that is no text'],
    [`${encode(JSON.stringify(RIGHT))}=`, 'padded'],
    [`${encode(JSON.stringify(RIGHT))}\n`, 'with a line break'],
    [
      Buffer.from('{"challenge":"\u00ff\u00bf?>","origin":"~~~"}').toString('base64').replaceAll('=', ''),
      'base64',
    ],
  ])('client data %j cannot be read: %s', (encoded) => {
    expect(readClientData(encoded)).toBeUndefined();
  });
});
