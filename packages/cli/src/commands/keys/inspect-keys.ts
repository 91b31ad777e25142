import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import type { KeyInspection } from '@latchkey/core/keys';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { countOf } from '../../runtime/count-words.js';
import { CommandError, EXIT } from '../../runtime/failure.js';
import { relativeTime } from '../../runtime/relative-time.js';
import { renderSections } from '../../runtime/sections.js';
import type { Column } from '../../runtime/table.js';
import type { Terminal } from '../../runtime/terminal.js';
import { fileSource, settingSources, type KeySource } from './key-sources.js';

export function addInspect(keys: Command, terminal: Terminal): void {
  withCommonOptions(
    keys
      .command('inspect')
      .argument('[files...]', 'PEM files; the keys of the settings unless given')
      .description('Look at keys: what they are, which one signs, and what is wrong with them.'),
    {
      json: 'array of { source, use, half, kind, bits, exponent, kid, file, changedAt, faults: string[] }',
      quiet: 'print the key ids only',
      notes:
        'Nothing private is shown. The key id is the thumbprint of RFC 7638, as in the header of tokens and in the key ' +
        'set. Exits with 1 when the service would refuse one of the keys. Without a terminal: source, use, half, kind, ' +
        'bits, exponent, key id, file, time of its last change and faults, separated by tabs.',
      examples: [
        ['latchkey keys inspect', 'which key signs here, and which others are accepted'],
        ['latchkey keys inspect signing-key.pem', 'is this file any good'],
      ],
    },
  ).action(action(terminal, inspect));
}

interface InspectedKey extends Omit<KeySource, 'text'>, KeyInspection {
  /** When the file was written last. */
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
    `The service would refuse ${countOf(faulty, 'key')} of ${items.length}.`,
    'Make a good one with: latchkey keys generate',
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

const USES = { sign: 'it signs', verify: 'accepted, never signing' } as const;

/** What the keys of one text have in common. */
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
    text: ({ faults }) => faults.join(', ') || 'good',
    style: ({ faults }) => (faults.length > 0 ? 'red' : undefined),
  },
];
