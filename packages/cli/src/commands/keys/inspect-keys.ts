import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import type { KeyInspection } from '@latchkey/core/keys';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { countOf } from '../../runtime/count-words.js';
import { CommandError, EXIT } from '../../runtime/failure.js';
import { relativeTime } from '../../runtime/relative-time.js';
import { renderSections } from '../../runtime/sections.js';
import { readDevelopmentKey } from '../../runtime/settings-keys.js';
import type { Column } from '../../runtime/table.js';
import type { Terminal } from '../../runtime/terminal.js';
import { readTextFile } from '../../runtime/text-file.js';

export function addInspect(keys: Command, terminal: Terminal): void {
  withCommonOptions(
    keys
      .command('inspect')
      .argument('[files...]', 'PEM files; defaults to the keys of the settings')
      .description('Show keys: their properties, the signing key, and their faults.'),
    {
      json: 'array of { source, use, half, kind, bits, exponent, kid, file, changedAt, faults: string[] }',
      quiet: 'print only the key ids',
      notes:
        'Private parts are never shown. The key id is the thumbprint of RFC 7638, as in token headers and the key ' +
        'set. Exits with 1 if the service would reject a key. Without a terminal: source, use, half, kind, ' +
        'bits, exponent, key id, file, its last change and faults, separated by tabs.',
      examples: [
        ['latchkey keys inspect', 'the signing key and the other accepted keys'],
        ['latchkey keys inspect signing-key.pem', 'check a file'],
      ],
    },
  ).action(action(terminal, inspect));
}

interface InspectedKey extends Omit<KeySource, 'text'>, KeyInspection {
  /** The time of the file's last change. */
  changedAt: string | null;
}

async function inspect({ args, output }: Call): Promise<void> {
  const sources = args.length > 0 ? await Promise.all(args.map(fileSource)) : await settingSources();
  const items = (await Promise.all(sources.map(inspectSource))).flat();
  output.report({
    view: items,
    items,
    fields: FIELDS,
    id: ({ kid }) => kid ?? '',
    forPeople: (space) => renderSections(items, headingOf, COLUMNS, space),
  });
  const faulty = items.filter(({ faults }) => faults.length > 0).length;
  if (faulty === 0) return;
  throw new CommandError(
    EXIT.failed,
    `The service would reject ${countOf(faulty, 'key')} of ${items.length}.`,
    'Create a valid key with: latchkey keys generate',
  );
}

async function inspectSource({ source, use, file, text }: KeySource): Promise<InspectedKey[]> {
  const { inspectKeys } = await import('@latchkey/core/keys');
  const found = await inspectKeys(text);
  const changedAt = file === null ? null : (await stat(file)).mtime.toISOString();
  const keys = found.length === 0 ? [NO_KEY] : found;
  return keys.map((key) => ({
    source,
    use,
    file,
    changedAt,
    ...key,
    faults: [...key.faults, ...faultsAsSigningKey(use, key, found.length)],
  }));
}

const NO_KEY: KeyInspection = {
  kind: 'none',
  bits: null,
  exponent: null,
  half: 'private',
  kid: null,
  faults: ['no PEM block'],
};

function faultsAsSigningKey(use: KeySource['use'], { half }: KeyInspection, keys: number): string[] {
  if (use !== 'sign') return [];
  return [
    ...(half === 'public' ? ['a public key cannot sign'] : []),
    ...(keys > 1 ? ['more than one key to sign with'] : []),
  ];
}

const FIELDS: (keyof InspectedKey)[] = [
  'source',
  'use',
  'half',
  'kind',
  'bits',
  'exponent',
  'kid',
  'file',
  'changedAt',
  'faults',
];

const USES = { sign: 'signs', verify: 'verifies only' } as const;

/** Returns the heading of the keys of one text. */
function headingOf({ source, use, file, changedAt }: InspectedKey): string {
  const facts = [
    ...(use === null ? [] : [USES[use]]),
    ...(file === null || file === source ? [] : [file]),
    ...(changedAt === null ? [] : [`changed ${relativeTime(changedAt)}`]),
  ];
  return facts.length === 0 ? source : `${source} (${facts.join(', ')})`;
}

const COLUMNS: Column<InspectedKey>[] = [
  { title: 'KEY ID', text: ({ kid }) => kid ?? 'no key id' },
  { title: 'HALF', text: ({ half }) => half },
  { title: 'KIND', text: ({ kind, bits }) => (bits === null ? kind : `${kind} ${bits}`) },
  {
    title: 'FAULTS',
    text: ({ faults }) => faults.join(', ') || 'none',
    style: ({ faults }) => (faults.length > 0 ? 'red' : undefined),
  },
];

/** A text that contains keys. */
interface KeySource {
  /** The name of a setting, or the path of a file. */
  source: string;
  use: 'sign' | 'verify' | null;
  file: string | null;
  text: string;
}

/** Reads the keys of a file. */
const fileSource = async (file: string): Promise<KeySource> => ({
  source: file,
  use: null,
  file,
  text: await readTextFile(file),
});

/** Reads the keys of the settings, valid or not; in development, the key of the service that runs here. */
async function settingSources(): Promise<KeySource[]> {
  const { readGivenSettings, readSomeSettings } = await import('@latchkey/core/settings');
  const given = readGivenSettings(['JWT_SIGNING_KEY_PEM', 'JWT_VERIFICATION_KEYS_PEM']);
  const signing = given.get('JWT_SIGNING_KEY_PEM');
  const verification = given.get('JWT_VERIFICATION_KEYS_PEM');
  return [
    signing
      ? { source: 'JWT_SIGNING_KEY_PEM', use: 'sign', ...textOf(signing) }
      : await developmentSource(readSomeSettings(['APP_ENV', 'DATA_DIR'])),
    ...(verification === undefined
      ? []
      : [{ source: 'JWT_VERIFICATION_KEYS_PEM', use: 'verify' as const, ...textOf(verification) }]),
  ];
}

/** Returns the text of a setting, and the file it was read from. */
const textOf = ({
  text,
  origin,
  path = null,
}: {
  text: string;
  origin: string | undefined;
  path?: string | null;
}): Pick<KeySource, 'text' | 'file'> => ({
  text,
  file: origin === 'file' ? path : null,
});

async function developmentSource(settings: {
  APP_ENV: 'development' | 'test' | 'production';
  DATA_DIR: string;
}): Promise<KeySource> {
  const { path, text } = await readDevelopmentKey({
    environment: settings.APP_ENV,
    dataDir: settings.DATA_DIR,
  });
  return { source: 'DATA_DIR', use: 'sign', file: path, text };
}
