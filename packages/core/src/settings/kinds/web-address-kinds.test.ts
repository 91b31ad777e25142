import { describe, expect, it } from 'vitest';
import {
  originList,
  passkeyOriginList,
  proxyTrust,
  relyingPartyId,
  webAddress,
} from './web-address-kinds.js';

describe('web addresses', () => {
  it.each([
    ['https://auth.example.com/', 'https://auth.example.com'],
    ['http://localhost:3097', 'http://localhost:3097'],
    [' https://example.com/auth// ', 'https://example.com/auth'],
  ])('%s is kept as %s', (text, value) => {
    expect(webAddress.schema.parse(text)).toBe(value);
  });

  it.each([
    'example.com',
    'ftp://a',
    'https:a.com',
    'https://',
    'https://u:p@a',
    'https://a?b',
    'https://a#b',
  ])('%s is refused', (text) => {
    expect(webAddress.schema.safeParse(text).success).toBe(false);
  });
});

describe('browser origins', () => {
  it('a list is split and trimmed', () => {
    expect(originList.schema.parse('https://a.com, http://localhost:3000,capacitor://localhost,')).toEqual([
      'https://a.com',
      'http://localhost:3000',
      'capacitor://localhost',
    ]);
  });

  it.each([
    '*',
    'null',
    ',',
    'a.com',
    'https://a.com/',
    'https://a.com/path',
    'https://*.a.com/x',
    'https://A.com',
    'https://a.com:443',
    'https://u@a.com',
    'https://a.com,*',
    'file:///etc',
    'data:text/html,x',
  ])('%s is refused', (text) => {
    expect(originList.schema.safeParse(text).success).toBe(false);
  });
});

describe('passkey origins', () => {
  it.each([
    'https://app.example.com',
    'https://app.example.com:8443',
    'http://localhost:3097',
    'android:apk-key-hash:xT5ZucZJ9N7oq3j3awG8J_NlKf8trfo6AAJB8deuuNo',
  ])('%s is accepted', (text) => {
    expect(passkeyOriginList.schema.parse(text)).toEqual([text]);
  });

  it.each([
    'http://app.example.com',
    'http://127.0.0.1',
    'http://notlocalhost',
    'https://app.example.com/',
    'android:apk-key-hash:',
    'android:apk-key-hash:AB:CD',
    'ios:x',
    '*',
  ])('%s is refused', (text) => {
    expect(passkeyOriginList.schema.safeParse(text).success).toBe(false);
  });
});

describe('relying party ids', () => {
  it.each(['example.com', 'localhost', 'Auth.Example.com'])('%s is accepted', (text) => {
    expect(relyingPartyId.schema.parse(text)).toBe(text.toLowerCase());
  });

  it.each([
    'https://example.com',
    'example.com:443',
    '127.0.0.1',
    '::1',
    '-a.com',
    'a..b',
    '.com',
    'a_b.com',
  ])('%s is refused', (text) => {
    expect(relyingPartyId.schema.safeParse(text).success).toBe(false);
  });
});

describe('trusted proxies', () => {
  it.each([
    ['0', 0],
    ['1', 1],
    ['20', 20],
    ['10.0.0.1', ['10.0.0.1']],
    ['10.0.0.0/8, fd00::/8,::1', ['10.0.0.0/8', 'fd00::/8', '::1']],
  ])('%s is accepted', (text, value) => {
    expect(proxyTrust.schema.parse(text)).toEqual(value);
  });

  it.each([
    'true',
    'TRUE',
    'yes',
    '21',
    '-1',
    'loopback',
    '10.1',
    '10.0.0.0/33',
    '10.0.0.0/',
    ',',
    '10.0.0.1 10.0.0.2',
  ])('%s is refused', (text) => {
    expect(proxyTrust.schema.safeParse(text).success).toBe(false);
  });

  it.each(['0.0.0.0/0', '::/0'])('%s, which contains every address, is refused', (text) => {
    expect(proxyTrust.schema.safeParse(text).success).toBe(false);
  });
});

describe('the fingerprint of an Android app', () => {
  const VALUE = 'android:apk-key-hash:xT5ZucZJ9N7oq3j3awG8J_NlKf8trfo6AAJB8deuuNo';
  const HEX = 'c53e59b9c649f4dee8ab78f76b01bc27f36529ff2dadfa3a000241f1d7aeb8da';
  const problemOf = (text: string) => passkeyOriginList.schema.safeParse(text).error?.issues[0]?.message;

  it.each([
    `android:apk-key-hash:${HEX}`,
    `android:apk-key-hash:${HEX.toUpperCase().replaceAll(/(..)(?=.)/g, '$1:')}`,
    'android:apk-key-hash:xT5ZucZJ9N7oq3j3awG8J/NlKf8trfo6AAJB8deuuNo=',
    `android:${HEX}`,
  ])('%s is refused with the value to write', (text) => {
    expect(problemOf(text)).toContain(`; write ${VALUE}`);
  });

  it.each(['android:apk-key-hash:', 'android:apk-key-hash:AB:CD', `${VALUE}x`, VALUE.slice(0, -1)])(
    '%s is refused with what a fingerprint is',
    (text) => {
      expect(problemOf(text)).toContain('43 characters');
    },
  );
});
