import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PlantedPage {
  /** The content of the body. */
  body: string;
  /** The content of the head, in addition to title and icon. */
  head?: string;
  policy?: string;
  status?: number;
}

/** A server of test pages, among them pages with deliberate faults. */
export class PlantedPages {
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://localhost:${(server.address() as AddressInfo).port}`;
  }

  /** Serves pages by path; 404 for other paths. */
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
