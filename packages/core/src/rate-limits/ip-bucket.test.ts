import { describe, expect, it } from 'vitest';
import { ipBucket } from './ip-bucket.js';

describe('the bucket of an address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('of %s is %s', (ip, bucket) => {
    expect(ipBucket(ip)).toBe(bucket);
  });

  it.each([
    null,
    '',
    'unknown',
    '203.0.113',
    '203.0.113.07',
    '0x7f.1',
    '2130706433',
    '1.2.3.4:5',
    '[::1]',
    'x'.repeat(10_000),
  ])('is shared by invalid addresses such as %j', (ip) => {
    expect(ipBucket(ip)).toBe('unknown');
  });
});
