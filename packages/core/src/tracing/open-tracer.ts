import type { Tracer } from '../kernel/tracer.js';

/**
 * Returns the tracer if tracing is on; undefined otherwise, and then nothing of OpenTelemetry is loaded. Loggers add its
 * `logFields` to their lines.
 * @throws TypeError if tracing is on and the package `@opentelemetry/api` is not installed.
 * @example
 * ```ts
 * await openTracer({ tracing: false }); // → undefined
 * ```
 */
export async function openTracer({ tracing }: { tracing: boolean }): Promise<Tracer | undefined> {
  if (!tracing) return undefined;
  try {
    const { OpenTelemetryTracer } = await import('./open-telemetry-tracer.js');
    return new OpenTelemetryTracer(await import('@opentelemetry/api'));
  } catch (error) {
    throw new TypeError(
      'TRACING is on, but @opentelemetry/api is not installed: npm install @opentelemetry/api',
      {
        cause: error,
      },
    );
  }
}
