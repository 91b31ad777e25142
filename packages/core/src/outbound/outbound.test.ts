import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { localCertificate } from '../../../../test/support/local-certificate.js';
import { OutboundError, type OutboundRule } from './outbound-error.js';
import { Outbound, type OutboundOptions } from './outbound.js';

const PUBLIC = '93.184.216.34';

function outbound(options: Partial<OutboundOptions> = {}): Outbound {
  return new Outbound({
    ports: [443],
    allowed: { names: [], networks: [] },
    allowLoopback: false,
    resolve: () => Promise.resolve([PUBLIC]),
    ...options,
  });
}

async function ruleOf(url: string, options?: Partial<OutboundOptions>): Promise<OutboundRule | undefined> {
  try {
    await outbound(options).check(url);
    return undefined;
  } catch (error) {
    if (error instanceof OutboundError) return error.rule;
    throw error;
  }
}

async function errorOf(work: Promise<unknown>): Promise<OutboundError> {
  return work.then(
    () => Promise.reject(new Error('no error')),
    (error: unknown) => (error instanceof OutboundError ? error : Promise.reject(error as Error)),
  );
}

describe('an address is refused by a rule that has a name', () => {
  const REFUSED: [url: string, rule: OutboundRule][] = [
    // This machine, in every notation of IPv4 that parsers of URLs read.
    ['https://127.0.0.1/', 'address'],
    ['https://127.1/', 'address'],
    ['https://127.0.1/', 'address'],
    ['https://2130706433/', 'address'],
    ['https://0x7f000001/', 'address'],
    ['https://0x7f.0.0.1/', 'address'],
    ['https://0x7f.1/', 'address'],
    ['https://017700000001/', 'address'],
    ['https://0177.0.0.1/', 'address'],
    ['https://0177.0x0.0.1/', 'address'],
    ['https://127.0.0.1./', 'address'],
    ['https://%31%32%37.0.0.1/', 'address'],
    ['https://１２７.０.０.１/', 'address'],
    ['https://127。0。0。1/', 'address'],
    ['https://①②⑦.0.0.1/', 'address'],
    ['https:127.0.0.1', 'address'],
    ['https:\\\\127.0.0.1\\', 'address'],
    ['https://0/', 'address'],
    ['https://0.0.0.0/', 'address'],
    ['https://0x0/', 'address'],
    ['https://255.255.255.255/', 'address'],
    // Private networks, links and services of credentials.
    ['https://10.0.0.1/', 'address'],
    ['https://172.16.0.1/', 'address'],
    ['https://172.31.255.255/', 'address'],
    ['https://192.168.1.1/', 'address'],
    ['https://3232235777/', 'address'],
    ['https://100.64.0.1/', 'address'],
    ['https://169.254.169.254/latest/meta-data/', 'address'],
    ['https://0xa9fea9fe/', 'address'],
    ['https://2852039166/', 'address'],
    ['https://0251.0376.0251.0376/', 'address'],
    ['https://100.100.100.200/', 'address'],
    ['https://168.63.129.16/', 'address'],
    ['https://192.0.0.192/', 'address'],
    ['https://198.18.0.1/', 'address'],
    ['https://224.0.0.1/', 'address'],
    ['https://240.0.0.1/', 'address'],
    // IPv6, and IPv4 inside of it.
    ['https://[::1]/', 'address'],
    ['https://[0:0:0:0:0:0:0:1]/', 'address'],
    ['https://[::]/', 'address'],
    ['https://[::ffff:127.0.0.1]/', 'address'],
    ['https://[::ffff:7f00:1]/', 'address'],
    ['https://[::ffff:10.0.0.1]/', 'address'],
    ['https://[::127.0.0.1]/', 'address'],
    ['https://[64:ff9b::127.0.0.1]/', 'address'],
    ['https://[64:ff9b::a9fe:a9fe]/', 'address'],
    ['https://[64:ff9b:1::1]/', 'address'],
    ['https://[2002:7f00:1::]/', 'address'],
    ['https://[2002:a9fe:a9fe::1]/', 'address'],
    ['https://[2001:0:808:808::f5ff:fffe]/', 'address'],
    ['https://[fe80::1]/', 'address'],
    ['https://[fc00::1]/', 'address'],
    ['https://[fd00:ec2::254]/', 'address'],
    ['https://[fd20:ce::254]/', 'address'],
    ['https://[ff02::1]/', 'address'],
    ['https://[2001:db8::1]/', 'address'],
    // What is no address, or not one that https is sent to.
    ['https://[fe80::1%25eth0]/', 'url'],
    ['https://1.2.3.4.5/', 'url'],
    ['https://256.1.1.1/', 'url'],
    ['//hooks.example.com/', 'url'],
    ['hooks.example.com', 'url'],
    ['', 'url'],
    ['http://hooks.example.com/', 'scheme'],
    ['http://127.0.0.1/', 'scheme'],
    ['ftp://hooks.example.com/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['gopher://hooks.example.com/', 'scheme'],
    ['data:text/plain,x', 'scheme'],
    ['https://user@hooks.example.com/', 'credentials'],
    ['https://user:password@hooks.example.com/', 'credentials'],
    ['https://hooks.example.com@127.0.0.1/', 'credentials'],
    ['https://hooks.example.com/#part', 'fragment'],
    ['https://hooks.example.com/#', 'fragment'],
    ['https://hooks.example.com:8443/', 'port'],
    ['https://hooks.example.com:80/', 'port'],
    ['https://hooks.example.com:22/', 'port'],
    [`https://hooks.example.com/${'a'.repeat(2_048)}`, 'length'],
  ];

  for (const [url, rule] of REFUSED) {
    it(`${url.slice(0, 60)} is refused by the rule ${rule}`, async () => {
      expect(await ruleOf(url)).toBe(rule);
    });
  }

  it('an address on the public internet is accepted, also as an internationalized name or with a dot at its end', async () => {
    for (const url of [
      'https://hooks.example.com/in',
      'https://hooks.example.com./',
      'https://bücher.example/',
      'https://hooks.example.com:443/',
    ])
      expect(await ruleOf(url)).toBeUndefined();
  });

  it('a port is accepted once the operator has added it', async () => {
    expect(await ruleOf('https://hooks.example.com:8443/', { ports: [443, 8443] })).toBeUndefined();
  });
});

describe('every address of a name must be allowed', () => {
  const answers = (...addresses: string[]): Partial<OutboundOptions> => ({
    resolve: () => Promise.resolve(addresses),
  });

  it.each([
    ['only private addresses', ['10.0.0.1']],
    ['one private address among public ones', [PUBLIC, '192.168.0.1']],
    ['a public IPv4 and a local IPv6 address', [PUBLIC, '::1']],
    ['an IPv4-mapped service of credentials', ['::ffff:169.254.169.254']],
  ])('a name with %s is refused', async (_what, addresses) => {
    expect(await ruleOf('https://hooks.example.com/', answers(...addresses))).toBe('address');
  });

  it('a name without an address is refused by a rule of its own', async () => {
    expect(await ruleOf('https://hooks.example.com/', answers())).toBe('name');
    const fails = { resolve: () => Promise.reject(new Error('ENOTFOUND 10.0.0.53')) };
    expect((await errorOf(outbound(fails).check('https://hooks.example.com/'))).message).not.toContain(
      '10.0.0.53',
    );
  });

  it('localhost is refused as what it resolves to', async () => {
    expect(await ruleOf('https://localhost/', { resolve: undefined })).toBe('address');
    expect(await ruleOf('https://localhost./', answers('127.0.0.1'))).toBe('address');
  });
});

describe('a request', () => {
  async function listen(server: Server): Promise<number> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return (server.address() as AddressInfo).port;
  }
  const respondWith = (listener: RequestListener): Promise<number> => listen(createServer(listener));
  const local = (options: Partial<OutboundOptions> = {}): Outbound =>
    outbound({ allowLoopback: true, resolve: () => Promise.resolve(['127.0.0.1']), ...options });

  it('reaches this machine by http outside production only', async () => {
    const port = await respondWith((_request, response) => response.end('hello'));
    const url = `http://localhost:${port}/`;
    const { status, body } = await local().request({ url, purpose: 'webhook' });
    expect([status, body.toString()]).toEqual([200, 'hello']);
    expect((await errorOf(outbound().request({ url, purpose: 'webhook' }))).rule).toBe('scheme');
  });

  it('goes to the address that was checked, whatever the name resolves to afterwards', async () => {
    const inner = createServer();
    let connections = 0;
    inner.on('connection', () => connections++);
    const port = await listen(inner);
    let asked = 0;
    const resolve = (): Promise<string[]> => Promise.resolve(asked++ === 0 ? [PUBLIC] : ['127.0.0.1']);
    const rebinding = outbound({ ports: [port], resolve });
    // The system's own resolver finds this machine under that name.
    const url = `https://localhost:${port}/`;
    const error = await errorOf(rebinding.request({ url, purpose: 'metadata' }));
    expect(['connection', 'timeout']).toContain(error.failure);
    expect(asked).toBe(1);
    expect(connections).toBe(0);
    const second = await errorOf(rebinding.request({ url, purpose: 'metadata' }));
    expect(second.rule).toBe('address');
  });

  it('checks the certificate against the name', async () => {
    const { key, cert } = localCertificate();
    const port = await listen(createTlsServer({ key, cert }, (_request, response) => response.end('safe')));
    const options = {
      ports: [port],
      allowed: { names: [], networks: ['127.0.0.1'] },
      allowLoopback: false,
      ca: cert,
    };
    const right = await local(options).request({ url: `https://localhost:${port}/`, purpose: 'webhook' });
    expect(right.body.toString()).toBe('safe');
    const wrong = await errorOf(
      local(options).request({ url: `https://other.example:${port}/`, purpose: 'webhook' }),
    );
    expect(wrong.failure).toBe('tls');
    const unknown = await errorOf(
      local({ ...options, ca: undefined }).request({ url: `https://localhost:${port}/`, purpose: 'webhook' }),
    );
    expect(unknown.failure).toBe('tls');
  });

  it('follows no redirect', async () => {
    const port = await respondWith((request, response) => {
      if (request.url === '/secret') response.end('secret');
      else response.writeHead(302, { location: '/secret' }).end();
    });
    const { status, body } = await local().request({ url: `http://localhost:${port}/`, purpose: 'webhook' });
    expect([status, body.toString()]).toEqual([302, '']);
  });

  it('reads no more of a response than its purpose needs', async () => {
    const port = await respondWith((_request, response) => response.end('x'.repeat(100_000)));
    const url = `http://localhost:${port}/`;
    expect((await local().request({ url, purpose: 'webhook' })).body).toHaveLength(1_024);
    expect((await errorOf(local().request({ url, purpose: 'metadata' }))).failure).toBe('response');
    expect((await local().request({ url, purpose: 'samlMetadata' })).body).toHaveLength(100_000);
  });

  it('refuses a compressed response, and ignores the body of one to a webhook', async () => {
    const port = await respondWith((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(10_000))),
    );
    const url = `http://localhost:${port}/`;
    expect((await errorOf(local().request({ url, purpose: 'metadata' }))).failure).toBe('response');
    expect((await local().request({ url, purpose: 'webhook' })).status).toBe(200);
  });

  it('ends when its time is over', async () => {
    const port = await respondWith(() => undefined);
    const began = Date.now();
    const error = await errorOf(local().request({ url: `http://localhost:${port}/`, purpose: 'metadata' }));
    expect(error.failure).toBe('timeout');
    expect(Date.now() - began).toBeGreaterThan(2_900);
  });

  it('fails by what happened, and says nothing of what answered', async () => {
    const port = await respondWith((_request, response) =>
      response.writeHead(500).end('secret of an inner host'),
    );
    const error = await errorOf(local().json({ url: `http://localhost:${port}/`, purpose: 'metadata' }));
    expect(error.message).toBe('was answered with status 500 instead of 200');
    const refused = await errorOf(local().request({ url: 'http://localhost:1/', purpose: 'webhook' }));
    expect([refused.failure, refused.message]).toEqual(['connection', 'could not be reached']);
  });

  it('returns JSON of at most twenty levels', async () => {
    const deep = (levels: number): string => `${'['.repeat(levels)}"]]\\"["${']'.repeat(levels)}`;
    const port = await respondWith((request, response) => {
      response.end(request.url === '/text' ? 'no json' : deep(Number(request.url?.slice(1))));
    });
    const json = (path: string): Promise<unknown> =>
      local().json({ url: `http://localhost:${port}/${path}`, purpose: 'metadata' });
    expect(await json('20')).toBeInstanceOf(Array);
    expect((await errorOf(json('21'))).message).toContain('too deep');
    expect((await errorOf(json('text'))).message).toContain('JSON');
  });

  it('waits for others: four run to one host at the same time', async () => {
    let running = 0;
    let most = 0;
    const port = await respondWith((_request, response) => {
      most = Math.max(most, ++running);
      setTimeout(() => {
        running -= 1;
        response.end();
      }, 30);
    });
    const all = local();
    const one = (): Promise<unknown> => all.request({ url: `http://localhost:${port}/`, purpose: 'webhook' });
    await Promise.all(Array.from({ length: 12 }, one));
    expect(most).toBe(4);
  });

  it('waits for others: sixteen run in the background, and leave four to requests of users', async () => {
    let running = 0;
    let most = 0;
    const ends: (() => void)[] = [];
    const port = await respondWith((_request, response) => {
      most = Math.max(most, ++running);
      ends.push(() => response.end());
    });
    const all = local();
    const to = (host: number, purpose: 'webhook' | 'metadata'): Promise<unknown> =>
      all.request({ url: `http://h${host}.localhost:${port}/`, purpose });
    const background = Array.from({ length: 20 }, (_value, index) => to(index, 'webhook'));
    while (running < 16) await new Promise((resolve) => setTimeout(resolve, 5));
    const user = to(100, 'metadata');
    while (running < 17) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(most).toBe(17);
    const ending = setInterval(() => ends.splice(0).forEach((end) => end()), 5);
    await Promise.all([...background, user]);
    clearInterval(ending);
  });
});
