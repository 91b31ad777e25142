import { inspect } from 'node:util';
import { serialize } from 'node:v8';
import pino from 'pino';

/** Everything by which logs, consoles and error reporters turn a value into text. */
export const RENDERINGS: Readonly<Record<string, (value: unknown) => string>> = {
  'console.log': (value) => inspect(value),
  'util.inspect, as deep as it goes': (value) => inspect(value, EVERYTHING),
  'util.inspect without custom inspection': (value) =>
    inspect(value, { ...EVERYTHING, customInspect: false }),
  'util.inspect with getters': (value) => inspect(value, { ...EVERYTHING, getters: true }),
  'JSON.stringify': (value) => attempt(() => JSON.stringify(value, withoutCycles())),
  pino: (value) => {
    const lines: string[] = [];
    const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
    logger.info({ value, err: value }, 'seen');
    logger.error(value, 'seen');
    return lines.join('');
  },
  'a template': (value) => String(value),
  'v8.serialize': (value) => attempt(() => serialize(value).toString('latin1')),
  structuredClone: (value) => attempt(() => inspect(structuredClone(value), EVERYTHING)),
  'an error reporter that walks properties': (value) => walk(value, new Set()).join('\n'),
};

const EVERYTHING = {
  depth: Infinity,
  showHidden: true,
  maxArrayLength: null,
  maxStringLength: null,
} as const;

/** Values that cannot be rendered are left out: functions cannot be cloned. */
function attempt(render: () => string): string {
  try {
    return render();
  } catch (error) {
    return String(error);
  }
}

function withoutCycles(): (key: string, value: unknown) => unknown {
  const seen = new Set<unknown>();
  return (_key, value) => {
    if (typeof value === 'bigint') return String(value);
    if (typeof value !== 'object' || value === null) return value;
    if (seen.has(value)) return undefined;
    seen.add(value);
    return value;
  };
}

/** Every own property, enumerable or not, and what collections hold. */
function walk(value: unknown, seen: Set<unknown>): string[] {
  if (typeof value === 'string') return [value];
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value))
    return [];
  seen.add(value);
  if (Buffer.isBuffer(value)) return [value.toString('latin1')];
  const held = value instanceof Map || value instanceof Set ? [...(value as Iterable<unknown>)] : [];
  const own = Reflect.ownKeys(value).map((key) => read(value, key));
  return [...held, ...own].flatMap((each) => walk(each, seen));
}

function read(owner: object, key: PropertyKey): unknown {
  try {
    return Reflect.get(owner, key);
  } catch {
    return undefined;
  }
}
