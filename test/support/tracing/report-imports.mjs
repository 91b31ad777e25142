// Loaded before the service, with `node --import`: writes a line for each module of OpenTelemetry that is imported.
import { register } from 'node:module';

const HOOKS = `
import { writeSync } from 'node:fs';
export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context);
  if (/opentelemetry|open-telemetry/.test(resolved.url)) writeSync(2, 'imported: ' + resolved.url + '\\n');
  return resolved;
}`;

register(`data:text/javascript,${encodeURIComponent(HOOKS)}`);
