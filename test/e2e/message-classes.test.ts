import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer, request as requestTls } from 'node:https';
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import { allRoutes, messageClasses as ofAdapter } from '@latchkey/express-adapter';
import { messageClasses as ofVerifier } from '@latchkey/verifier/express';
import { freePort } from '../../tools/shared/free-port.mjs';
import { ApiClient } from '../support/api-client.js';
import { ON_THE_SERVER } from '../support/binding.js';
import { hasFastProperties } from '../support/hidden-classes.js';
import { localCertificate } from '../support/local-certificate.js';
import { countPrototypeChanges } from '../support/prototype-changes.js';
import { exchangeBytes } from '../support/raw-http.js';
import { INTERNAL_KEY, serviceForThisTest } from '../support/service.js';

async function urlOf(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Accepts upgrades to any protocol. */
function acceptUpgrades(server: Server): Server {
  return server.on('upgrade', (request, socket) => {
    const protocol = request.headers.upgrade ?? '';
    socket.end(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: ${protocol}\r\nConnection: Upgrade\r\n\r\n`);
  });
}

/** The function of each package that has it: they do not import each other. */
const PACKAGES = [
  ['@latchkey/express-adapter', ofAdapter],
  ['@latchkey/verifier', ofVerifier],
] as const;

/** Starts an app twice: on a server of Node as it is, and on one with the prototypes of the app. */
async function bothServers(
  app: Express,
  messageClasses = ofAdapter,
): Promise<{ plain: string; prepared: string }> {
  const plain = await urlOf(acceptUpgrades(createServer(app)));
  return { plain, prepared: await urlOf(acceptUpgrades(createServer(messageClasses(app), app))) };
}

const get = async (url: string): Promise<string> => (await fetch(url)).text();

/** Adds what frameworks typically add, by names that are not in the code, as routers do with symbols. */
function withMore(message: object): object {
  for (const name of ['res', 'next', 'baseUrl', 'originalUrl', 'params', 'route', 'query', 'cookies']) {
    Reflect.set(message, name, 1);
  }
  return message;
}

it.each(PACKAGES)(
  'requests with %s keep their hidden class when middleware adds properties',
  (_name, messageClasses) => {
    const { IncomingMessage } = messageClasses(express());
    // V8 decides about the size of objects while it creates the first ones.
    const requests = Array.from({ length: 20 }, () => withMore(new IncomingMessage({} as never)));
    expect(requests.map(hasFastProperties)).not.toContain(false);
  },
);

describe('the prototypes of requests and responses', () => {
  it.each(PACKAGES)(
    'are those of the app from the start with %s, which spares Express two changes for each request',
    async (_name, messageClasses) => {
      const app = express();
      app.get('/', (request, response) => {
        const own = [Object.getPrototypeOf(request) === app.request];
        response.json([...own, Object.getPrototypeOf(response) === app.response]);
      });
      const { plain, prepared } = await bothServers(app, messageClasses);
      // If this fails, Express no longer replaces prototypes, and `messageClasses` has no purpose any more.
      expect(await countPrototypeChanges(() => get(plain))).toBe(2);
      expect(await countPrototypeChanges(() => get(prepared))).toBe(0);
      expect(await get(prepared)).toBe('[true,true]');
    },
  );

  it('are those of a mounted app while it handles a request, and those of the app afterwards', async () => {
    const app = express();
    const mounted = express();
    const protos = (request: object, response: object) => [
      Object.getPrototypeOf(request) as object,
      Object.getPrototypeOf(response) as object,
    ];
    const seen: object[] = [];
    mounted.use((request, response, next) => {
      seen.push(...protos(request, response), request.app);
      next();
    });
    app.use('/mounted', mounted);
    app.use((request, response) => {
      seen.push(...protos(request, response), request.app);
      response.end();
    });
    const { prepared } = await bothServers(app);
    await get(`${prepared}/mounted`);
    const expected = [mounted.request, mounted.response, mounted, app.request, app.response, app];
    expect(seen.map((object, index) => object === expected[index])).toEqual(expected.map(() => true));
  });

  it.runIf(ON_THE_SERVER)('never change in the standalone service', async () => {
    const metricsPort = await freePort();
    const service = await serviceForThisTest({ env: { METRICS_PORT: String(metricsPort) } });
    const { accessToken } = await service.signedIn();
    const metrics = new ApiClient(`http://127.0.0.1:${metricsPort}`);
    onTestFinished(() => metrics.close());
    const pages = ['/login', '/docs', '/docs/start.js', '/openapi.json', '/nowhere', '/%ff'];
    const headers = { 'x-internal-api-key': INTERNAL_KEY };
    const changes = await countPrototypeChanges(async () => {
      for (const { method, path } of allRoutes) {
        await service.client.send(method.toUpperCase(), path, { token: accessToken, body: {} });
      }
      for (const path of pages) await service.client.send('GET', path);
      expect((await metrics.send('GET', '/metrics', { headers })).status).toBe(200);
    });
    expect(changes).toBe(0);
  });
});

/** Returns an app that shows what Express adds to requests and responses. */
function showcase(): Express {
  const app = express();
  const mounted = express();
  mounted.get('/', (request, response) => {
    response.cookie('a', 'b').status(202).send(`${request.baseUrl} ${request.protocol} ${request.ip}`);
  });
  app.get('/json', (request, response) => {
    response.set('X-Agent', request.get('user-agent')).vary('Accept').json({ query: request.query });
  });
  app.post('/body', express.json(), (request, response) => {
    response.json(request.body);
  });
  app.get('/stream', (_request, response) => {
    response.write('one ');
    response.end('two');
  });
  app.get('/moved', (_request, response) => response.redirect('/json'));
  app.get('/broken', () => {
    throw new Error('broken');
  });
  app.use('/mounted', mounted);
  app.set('env', 'test');
  return app;
}

describe('a server with the message classes of an app', () => {
  const head = (line: string, ...headers: string[]): string =>
    [`${line} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');
  const last = (line: string, ...headers: string[]): string => head(line, 'Connection: close', ...headers);
  const sent = '{"a":1}';
  const body = ['Content-Type: application/json', `Content-Length: ${sent.length}`];

  it.each([
    ['GET', last('GET /json?a=1', 'User-Agent: test')],
    ['HEAD', last('HEAD /json?a=1')],
    ['OPTIONS', last('OPTIONS /json')],
    ['a body', last('POST /body', ...body) + sent],
    ['a body after Expect: 100-continue', last('POST /body', 'Expect: 100-continue', ...body) + sent],
    ['an unknown expectation', last('GET /json', 'Expect: a-miracle')],
    ['a conditional request', last('GET /json', 'If-None-Match: *')],
    ['two requests on one connection', head('GET /json') + last('GET /mounted')],
    ['HTTP/1.0', 'GET /json HTTP/1.0\r\n\r\n'],
    ['a chunked response', last('GET /stream')],
    ['a redirect', last('GET /moved')],
    ['an app that is mounted', last('GET /mounted')],
    ['an unknown path', last('GET /nowhere')],
    ['an error', last('GET /broken')],
    ['an upgrade', head('GET /socket', 'Connection: Upgrade', 'Upgrade: websocket')],
    ['no host', 'GET /json HTTP/1.1\r\n\r\n'],
    ['a malformed request', 'nonsense\r\n\r\n'],
  ])('responds to %s byte for byte like a plain one', async (_what, bytes) => {
    const { plain, prepared } = await bothServers(showcase());
    const reply = async (url: string): Promise<string> => {
      const { head: start, body: rest } = await exchangeBytes(url, bytes);
      return `${start}\r\n\r\n${rest}`.replaceAll(/\bDate: .*/g, 'Date');
    };
    const replied = await reply(prepared);
    expect(replied).toMatch(/^HTTP\/1\.1 \d{3} /);
    expect(replied).toBe(await reply(plain));
  });

  it('may be a server of node:https', async () => {
    const { key, cert } = localCertificate();
    const app = showcase();
    const server = createTlsServer({ key, cert, ...ofAdapter(app) }, app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const text = await new Promise<string>((resolve, reject) => {
      const options = { host: 'localhost', port, path: '/mounted', ca: cert, agent: false };
      requestTls(options, (response) => {
        response.setEncoding('utf8').on('data', resolve);
      })
        .on('error', reject)
        .end();
    });
    expect(text).toMatch(/^\/mounted https /);
  });
});
