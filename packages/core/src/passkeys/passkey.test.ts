import { describe, expect, it } from 'vitest';
import { cleanTransports, isUserHandleOf, userHandleOf } from './passkey.js';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const OTHER = '01890a5d-ac96-774b-bcce-b302099a8058';
const handle = (id: string): string => Buffer.from(userHandleOf(id)).toString('base64url');

describe('a user handle', () => {
  it('a user handle is the sixteen bytes of the user’s id', () => {
    expect(Buffer.from(userHandleOf(ID)).toString('hex')).toBe('01890a5dac96774bbcceb302099a8057');
  });

  it('a user handle is recognised as its owner’s', () => {
    expect(isUserHandleOf(ID, handle(ID))).toBe(true);
  });

  it.each([
    undefined,
    null,
    '',
    handle(OTHER),
    handle(ID).slice(1),
    `${handle(ID)}AA`,
    `${handle(ID)}=`,
    `${handle(ID)}!`,
    ID,
  ])('the handle %j is not the user’s', (presented) => {
    expect(isUserHandleOf(ID, presented)).toBe(false);
  });
});

describe('transports', () => {
  it('transports are kept once each, unknown ones too, and ten at most', () => {
    expect(cleanTransports(['usb', 'usb', 'telepathy', 'smart-card'])).toEqual([
      'usb',
      'telepathy',
      'smart-card',
    ]);
    expect(cleanTransports(Array.from({ length: 20 }, (_, n) => `t${n}`))).toHaveLength(10);
    expect(cleanTransports()).toEqual([]);
  });

  it.each(['', 'USB', 'u sb', '<b>', '-usb', 'x'.repeat(33)])('%j is not a transport', (transport) => {
    expect(cleanTransports([transport])).toEqual([]);
  });
});
