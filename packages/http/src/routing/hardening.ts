import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

/** Sets hardening headers for an API: no framing, sniffing, caching or scripts. Pages set their own policy. */
const harden = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  referrerPolicy: { policy: 'no-referrer' },
  // For this host alone: subdomains may belong to others, and the service may be mounted in an app.
  strictTransportSecurity: { includeSubDomains: false },
});

/** Returns the headers that helmet sets. They are the same for each response, so helmet runs once instead of each time. */
function headersOf(middleware: typeof harden): string[] {
  const recorded: string[] = [];
  const recorder = {
    setHeader: (name: string, value: string) => recorded.push(name, value),
    removeHeader: () => undefined,
  };
  middleware({} as IncomingMessage, recorder as unknown as ServerResponse, (error?: unknown) => {
    if (error instanceof Error) throw error;
  });
  return recorded;
}

/** The hardening headers of every response, names and values in turns. */
export const HARDENING: readonly string[] = ['Cache-Control', 'no-store', ...headersOf(harden)];
