import { describe, expect, it } from 'vitest';
import { withoutPort, withoutPorts } from './forwarded-for.js';

describe('an address that a proxy forwards', () => {
  it.each([
    ['203.0.113.7:50001', '203.0.113.7'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['"[2001:db8::1]:443"', '2001:db8::1'],
    ['[::ffff:203.0.113.7]:443', '::ffff:203.0.113.7'],
    ['[fe80::1%eth0]:443', 'fe80::1%eth0'],
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8::1:443', '2001:db8::1:443'],
    ['unknown', 'unknown'],
    ['example.com:443', 'example.com:443'],
  ])('the address of %s is %s', (forwarded, address) => {
    expect(withoutPort(forwarded)).toBe(address);
  });

  it('every address of a list loses its port', () => {
    expect(withoutPorts('203.0.113.7:1,[2001:db8::1]:2 , 10.0.0.1')).toBe(
      '203.0.113.7, 2001:db8::1, 10.0.0.1',
    );
  });
});
