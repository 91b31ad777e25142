import type { SpanDetails, Tracer } from '../kernel/tracer.js';

/** The names of the methods that return a promise. */
export type AsyncMethod<Target> = {
  [Name in keyof Target]: Target[Name] extends (...args: never[]) => Promise<unknown> ? Name : never;
}[keyof Target];

/**
 * Returns an object whose methods of `spans` run in a span each; everything else is that of the target. Without a tracer
 * it is the target itself.
 */
export function traced<Target extends object>(
  target: Target,
  spans: Readonly<Partial<Record<AsyncMethod<Target>, SpanDetails>>>,
  tracer: Tracer | undefined,
): Target {
  if (!tracer) return target;
  const details = new Map<PropertyKey, SpanDetails>(Object.entries(spans) as [string, SpanDetails][]);
  return new Proxy(target, {
    get: (_target, name) => {
      // The target as receiver: its private fields are not those of the proxy.
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const span = details.get(name);
      const method = value.bind(target) as (...args: unknown[]) => Promise<unknown>;
      return span ? (...args: unknown[]) => tracer.step(span, () => method(...args)) : method;
    },
  });
}
