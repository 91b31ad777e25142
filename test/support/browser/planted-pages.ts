import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PlantedPage {
  /** What stands in the body. */
  body: string;
  /** What stands in the head beside title and icon. */
  head?: string;
  policy?: string;
  status?: number;
}

/** A server of pages that have something wrong with them, for tests of what must find it. */
export class PlantedPages {
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://localhost:${(server.address() as AddressInfo).port}`;
  }

  /** Paths without a page are answered 404. */
  static async serve(pages: Record<string, PlantedPage>): Promise<PlantedPages> {
    const server = createServer((request, response) => {
      const page = pages[new URL(request.url ?? '/', 'http://localhost').pathname];
      if (page?.policy !== undefined) response.setHeader('content-security-policy', page.policy);
      response.writeHead(page ? (page.status ?? 200) : 404, { 'content-type': 'text/html; charset=utf-8' });
      response.end(page ? documentOf(page) : '');
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    return new PlantedPages(server);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const documentOf = ({ head = '', body }: PlantedPage): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Planted</title>
<link rel="icon" href="data:,">
${head}
</head>
<body>${body}</body>
</html>
`;
