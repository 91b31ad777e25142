import { createServer, type IncomingMessage, type Server } from 'node:http';
import { VerificationError, type Verifier } from '@latchkey/verifier';

/** A service on Node's own server, whose handler is a function from a `Request` to a `Response`. */
export function ordersServer(verifier: Verifier): Server {
  return createServer((incoming, outgoing) => {
    void handle(requestOf(incoming), verifier).then(async (response) => {
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      outgoing.end(await response.text());
    });
  });
}

async function handle(request: Request, verifier: Verifier): Promise<Response> {
  try {
    const { userId } = await verifier.authenticate(request);
    return Response.json({ orders: [`what ${userId} ordered`] });
  } catch (error) {
    if (VerificationError.is(error)) return error.toResponse(request);
    console.error(error);
    return Response.json(
      { error: { code: 'internal_error', message: 'Something went wrong.' } },
      { status: 500 },
    );
  }
}

/** Takes over every header, so that a repeated `Authorization` header is seen, and refused. */
function requestOf({ method = 'GET', url = '/', headersDistinct }: IncomingMessage): Request {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  return new Request(new URL(url, 'http://localhost'), { method, headers });
}
