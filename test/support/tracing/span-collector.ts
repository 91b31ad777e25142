import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** A span as the collector received it. */
export interface CollectedSpan {
  name: string;
  traceId: string;
  spanId: string;
  /** Empty for the first span of a trace. */
  parentSpanId: string;
  /** SpanKind of the protocol: 1 internal, 2 server, 3 client. */
  kind: number;
  attributes: Record<string, unknown>;
  /** 2 for an error. */
  status: number;
}

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: string | number };
}

interface SpanOnTheWire {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  kind: number;
  attributes?: Attribute[];
  status?: { code?: number };
}

interface ExportRequest {
  resourceSpans: { scopeSpans: { scope: { name: string }; spans: SpanOnTheWire[] }[] }[];
}

/** Receives spans as an OpenTelemetry collector does (OTLP 1.5, OTLP/HTTP with JSON). */
export class SpanCollector {
  readonly spans: CollectedSpan[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      void json(request).then((body) => {
        this.#add(body as ExportRequest);
        response.setHeader('content-type', 'application/json').end('{}');
      });
    });
  }

  static async start(): Promise<SpanCollector> {
    const collector = new SpanCollector();
    await new Promise<void>((resolve) => collector.#server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  /** The environment of a process that sends its spans here. */
  get env(): Record<string, string> {
    const { port } = this.#server.address() as AddressInfo;
    return {
      TRACING: 'true',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      NODE_OPTIONS: `--import=${fileURLToPath(new URL('./register.mjs', import.meta.url))}`,
    };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #add({ resourceSpans }: ExportRequest): void {
    for (const { scope, spans } of resourceSpans.flatMap(({ scopeSpans }) => scopeSpans)) {
      if (scope.name === 'latchkey') this.spans.push(...spans.map(readSpan));
    }
  }
}

const readSpan = ({ attributes = [], parentSpanId = '', status, ...span }: SpanOnTheWire): CollectedSpan => ({
  ...span,
  parentSpanId,
  attributes: Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  ),
  status: status?.code ?? 0,
});
