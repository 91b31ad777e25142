import { expect, it } from 'vitest';
import { unknownClient } from '../kernel/client-info.js';
import { deviceNameOf } from './device-name.js';

const MAC_CHROME =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
const IPHONE_SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
const WINDOWS_FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0';

const nameOf = (userAgent: string | null, deviceName: string | null = null) =>
  deviceNameOf({ ...unknownClient, userAgent, deviceName });

it.each([
  [MAC_CHROME, 'Chrome on macOS'],
  [IPHONE_SAFARI, 'Safari on iOS'],
  [WINDOWS_FIREFOX, 'Firefox on Windows'],
])('the user agent %s gets a readable device name', (userAgent, name) => {
  expect(nameOf(userAgent)).toBe(name);
});

it('the name that the client sends takes precedence', () => {
  expect(nameOf(MAC_CHROME, "Ada's laptop")).toBe("Ada's laptop");
});

it('an empty device name is treated as missing', () => {
  expect(nameOf(MAC_CHROME, '')).toBe('Chrome on macOS');
  expect(nameOf('', '')).toBeNull();
  expect(nameOf(null)).toBeNull();
});

it('a device name has at most 100 characters', () => {
  expect(nameOf(null, 'x'.repeat(300))).toHaveLength(100);
});

it.each(['curl/8.5.0', '"; DROP TABLE users;--', '\u202e', 'x'.repeat(8192), '((((((', '/'])(
  'an unusual user agent causes no error: %s',
  (userAgent) => {
    expect([null, 'string']).toContain(nameOf(userAgent) === null ? null : typeof nameOf(userAgent));
  },
);
