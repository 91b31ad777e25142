import type { RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Auth } from '@latchkey/core';
import { createAuthHandler, fromForwarded } from '@latchkey/http';
import { authPages } from '@latchkey/pages';

/** The app of Next.js, which `npm run test:bindings` has installed and built. */
const FOLDER = path.resolve('test/bindings/next');
const NAME_HEADER = 'x-service-of-tests';

interface NextApp {
  prepare(): Promise<void>;
  getRequestHandler(): RequestListener;
}

/** The services that the route of the app finds: all of this process have one app, whose start takes a second. */
const services = new Map<string, (request: Request) => Promise<Response>>();
Object.assign(globalThis, { latchkeyServicesOfTests: services });
let app: Promise<RequestListener> | undefined;

/**
 * Serves `auth` by the route handler of an app of Next.js. Next.js keeps the `X-Forwarded-For` of a client, so this listener removes
 * it for services without a proxy, as an operator's proxy in front of Next.js must.
 */
export function nextListener(auth: Auth): RequestListener {
  const { trustProxy } = auth.settings.http;
  const clientAddress = fromForwarded({ trustProxy: trustProxy ?? 1 });
  const name = String(services.size);
  services.set(name, createAuthHandler(auth, { clientAddress, pages: authPages }));
  return (request, response) => {
    if (trustProxy === undefined) delete request.headers['x-forwarded-for'];
    request.headers[NAME_HEADER] = name;
    app ??= startNext();
    void app.then((listener) => {
      listener(request, response);
    });
  };
}

async function startNext(): Promise<RequestListener> {
  const next = createRequire(path.join(FOLDER, 'package.json'))('next') as (options: object) => NextApp;
  const server = next({ dev: false, dir: FOLDER, quiet: true });
  await server.prepare();
  return server.getRequestHandler();
}
