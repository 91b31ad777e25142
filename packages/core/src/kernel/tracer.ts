/** A part of a trace. */
export interface SpanDetails {
  /** `GET /auth/me`, `login_user`, `argon2 verify`: a name of few values, without ids. */
  name: string;
  /** `client` for a call of another system, such as a database. */
  kind: 'client' | 'internal';
  /** Named by the semantic conventions of OpenTelemetry. Never a secret, never an address of a person. */
  attributes: Readonly<Record<string, string>>;
}

/** A request that is traced. */
export interface TracedRequest {
  method: string;
  /** The pattern of the path, such as `/auth/sessions/{id}`. */
  route: string;
  /** May carry the trace of the caller (W3C Trace Context, section 3). */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Read when the work has ended. */
  status: () => number;
}

/** Ends a span; with an error, as failed. */
export type EndSpan = (error?: unknown) => void;

/** Records what the service does as spans of OpenTelemetry. */
export interface Tracer {
  /** Runs work in a span of its own, which continues the trace of the caller. */
  request<T>(request: TracedRequest, work: () => Promise<T>): Promise<T>;
  /** Runs work that no request waits for, in the first span of a trace. */
  task<T>(details: SpanDetails, work: () => PromiseLike<T>): Promise<T>;
  /** Runs work in a span of the current trace; outside a trace there is no span. */
  step<T>(details: SpanDetails, work: () => PromiseLike<T>): Promise<T>;
  /** Begins a span of the current trace, for work that only events report; outside a trace there is no span. */
  begin(details: SpanDetails): EndSpan;
  /** Returns the headers that continue the current trace in another service. */
  outgoingHeaders(): Record<string, string>;
  /** Returns `trace_id` and `span_id` of the current span, for lines of a log; nothing outside a trace. */
  logFields(): Record<string, string>;
}
