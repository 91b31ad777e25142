import { lookup } from 'node:dns/promises';
import { describe, expect, it } from 'vitest';
import { startDnsServer, type DnsZone } from '../../../../test/support/dns-server.js';
import { allowedSince } from '../../../../test/support/machine-lag.js';
import { addressesOfHost } from './host-addresses.js';
import { OutboundError } from './outbound-error.js';
import { Outbound } from './outbound.js';

const V4 = Buffer.from([10, 1, 2, 3]);
const V6 = Buffer.from('20010db8000000000000000000000001', 'hex');

const addressesIn = async (zone: DnsZone, name = 'hooks.example.com'): Promise<string[]> =>
  addressesOfHost(name, { known: [], dnsServers: [await startDnsServer(zone)] });

describe('the addresses of a host', () => {
  it('are those of both kinds', async () => {
    expect(await addressesIn((_name, kind) => [kind === 'A' ? V4 : V6])).toEqual(['10.1.2.3', '2001:db8::1']);
  });

  it('are those of one kind where the server answers nothing else', async () => {
    expect(await addressesIn((_name, kind) => (kind === 'A' ? [V4] : []))).toEqual(['10.1.2.3']);
    expect(await addressesIn((_name, kind) => (kind === 'A' ? [V4] : undefined))).toEqual(['10.1.2.3']);
  });

  it('are none for a name without addresses', async () => {
    expect(await addressesIn(() => [])).toEqual([]);
  });

  it('are those of this machine for its own names, and names of the configuration are asked of the operating system', async () => {
    const dnsServers = [await startDnsServer(() => [V4])];
    expect(await addressesOfHost('localhost', { known: [], dnsServers })).toContain('127.0.0.1');
    expect(await addressesOfHost('nowhere.invalid', { known: ['nowhere.invalid'], dnsServers })).toEqual([]);
  });

  it('are no answer, and not none, while the server is silent', async () => {
    const error: unknown = await addressesIn(() => undefined).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'OutboundError', failure: 'timeout' });
  });
});

describe('a server of DNS that never answers', () => {
  it('holds up no other lookup of the process', async () => {
    const asked = new Set<string>();
    const server = await startDnsServer((name) => void asked.add(name));
    const outbound = new Outbound({
      ports: [443],
      allowed: { names: [], networks: [] },
      allowLoopback: false,
      dnsServers: [server],
    });
    const failures = Array.from({ length: 16 }, (_value, index) =>
      outbound.check(`https://h${index}.example.com/`).then(
        () => 'none',
        (error: unknown) => (error instanceof OutboundError ? error.failure : 'unexpected'),
      ),
    );
    const began = performance.now();
    await lookup('localhost');
    expect(performance.now() - began).toBeLessThan(allowedSince(began, 500));
    expect(new Set(await Promise.all(failures))).toEqual(new Set(['timeout']));
    expect(asked.size).toBe(16);
  });
});
