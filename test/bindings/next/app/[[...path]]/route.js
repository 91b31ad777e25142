/** Passes the request to the service that the listener of the tests has named (test/support/binding.next.ts). */
const serve = (request) => {
  const services = globalThis.latchkeyServicesOfTests;
  return services.get(request.headers.get('x-service-of-tests'))(request);
};

export const GET = serve;
export const POST = serve;
export const PUT = serve;
export const PATCH = serve;
export const DELETE = serve;
export const HEAD = serve;
export const OPTIONS = serve;
