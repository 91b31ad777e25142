import type * as OpenTelemetry from '@opentelemetry/api';
import type { EndSpan, SpanDetails, TracedRequest, Tracer } from '../kernel/tracer.js';
import { version } from '../version.js';

/** Spans of the tracer provider that the process has registered; without one they cost nearly nothing and go nowhere. */
export class OpenTelemetryTracer implements Tracer {
  readonly #api: typeof OpenTelemetry;
  readonly #tracer: OpenTelemetry.Tracer;

  constructor(api: typeof OpenTelemetry) {
    this.#api = api;
    this.#tracer = api.trace.getTracer('latchkey', version);
  }

  request<T>({ method, route, headers, status }: TracedRequest, work: () => Promise<T>): Promise<T> {
    const { context, propagation, SpanKind, SpanStatusCode } = this.#api;
    const caller = propagation.extract(context.active(), headers);
    const attributes = { 'http.request.method': method, 'http.route': route };
    const options = { kind: SpanKind.SERVER, attributes };
    return this.#tracer.startActiveSpan(`${method} ${route}`, options, caller, async (span) => {
      try {
        return await work();
      } finally {
        span.setAttribute('http.response.status_code', status());
        if (status() >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      }
    });
  }

  task<T>(details: SpanDetails, work: () => PromiseLike<T>): Promise<T> {
    return this.#run(details, this.#api.ROOT_CONTEXT, work);
  }

  async step<T>(details: SpanDetails, work: () => PromiseLike<T>): Promise<T> {
    return this.#isInTrace ? this.#run(details, this.#api.context.active(), work) : work();
  }

  begin({ name, kind, attributes }: SpanDetails): EndSpan {
    if (!this.#isInTrace) return () => undefined;
    const span = this.#tracer.startSpan(name, { kind: this.#kindOf(kind), attributes });
    return (error) => {
      if (error !== undefined) this.#fail(span, error);
      span.end();
    };
  }

  outgoingHeaders(): Record<string, string> {
    const headers: Record<string, string> = {};
    this.#api.propagation.inject(this.#api.context.active(), headers);
    return headers;
  }

  logFields(): Record<string, string> {
    const span = this.#api.trace.getActiveSpan()?.spanContext();
    return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
  }

  #run<T>(
    { name, kind, attributes }: SpanDetails,
    parent: OpenTelemetry.Context,
    work: () => PromiseLike<T>,
  ): Promise<T> {
    const options = { kind: this.#kindOf(kind), attributes };
    return this.#tracer.startActiveSpan(name, options, parent, async (span) => {
      try {
        return await work();
      } catch (error) {
        this.#fail(span, error);
        throw error;
      } finally {
        span.end();
      }
    });
  }

  /** Timers that look for work several times a second are no traces. */
  get #isInTrace(): boolean {
    return this.#api.trace.getActiveSpan() !== undefined;
  }

  #kindOf(kind: SpanDetails['kind']): OpenTelemetry.SpanKind {
    const { SpanKind } = this.#api;
    return kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL;
  }

  /** The message of an error may name a person, so only its type is recorded. */
  #fail(span: OpenTelemetry.Span, error: unknown): void {
    span.setAttribute('error.type', typeOf(error));
    span.setStatus({ code: this.#api.SpanStatusCode.ERROR });
  }
}

/** Returns the code of an error of this service, of PostgreSQL or of Node, or its class. */
function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
