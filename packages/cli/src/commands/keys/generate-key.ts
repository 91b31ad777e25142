import { Option, type Command } from 'commander';
import type { PublicJwk, SigningKeyBits } from '@latchkey/core/keys';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { assertMayCreate, writeSecretFile } from '../../runtime/secret-file.js';
import type { Terminal } from '../../runtime/terminal.js';

const LENGTHS = { '2048': 2048, '3072': 3072, '4096': 4096 } as const satisfies Record<
  string,
  SigningKeyBits
>;

export interface BitsOption {
  bits: keyof typeof LENGTHS;
}

/** Returns the option for the length of a new key. */
export const bitsOption = (): Option =>
  new Option('--bits <n>', 'length of the key').choices(Object.keys(LENGTHS)).default('2048');

export const bitsOf = ({ bits }: BitsOption): SigningKeyBits => LENGTHS[bits];

export function addGenerate(keys: Command, terminal: Terminal): void {
  withCommonOptions(
    keys
      .command('generate')
      .description('Create an RSA key for JWT_SIGNING_KEY_PEM. Needs no database.')
      .addOption(bitsOption())
      .option('--out <file>', 'write the key to this file, readable only by you (mode 0600)')
      .option('--force', 'replace an existing file')
      .option('--jwk', 'also print the public key as JWK'),
    {
      json: '{ kid, bits, publicJwk, file } or, without --out, { kid, bits, publicJwk, privateKeyPem }',
      quiet: 'print only the key or, with --out, only the key id',
      notes:
        'The private key is PEM (PKCS#8). Without --out it goes to standard output, and its description to ' +
        'standard error. A longer key signs more slowly: 4096 bits take about six times as long as 2048.',
      examples: [
        ['latchkey keys generate --out signing-key.pem', 'then set JWT_SIGNING_KEY_PEM_FILE=signing-key.pem'],
        [
          'latchkey keys generate --bits 3072 --quiet | vault kv put secret/latchkey key=-',
          'store it in a vault',
        ],
      ],
    },
  ).action(action(terminal, generate));
}

async function generate({
  options,
  output,
  progress,
}: Call<BitsOption & { out?: string; force?: boolean; jwk?: boolean }>): Promise<void> {
  const { out: file, force = false, jwk = false } = options;
  const bits = bitsOf(options);
  if (file !== undefined && !force) await assertMayCreate(file);
  const { privateKeyPem, kid, publicJwk } = await progress.during('Creating the key', () => makeKey(bits));
  const about = [`Key ${kid} of ${bits} bits.`, ...(jwk ? [JSON.stringify(publicJwk, null, 2)] : [])];
  if (file === undefined) {
    output.answer({
      view: { kid, bits, publicJwk, privateKeyPem },
      text: privateKeyPem.trimEnd(),
      id: privateKeyPem.trimEnd(),
    });
    output.note(about.join('\n'));
    return;
  }
  await writeSecretFile(file, privateKeyPem, { replace: force });
  output.answer({
    view: { kid, bits, publicJwk, file },
    text: [`Written: ${file}`, ...about].join('\n'),
    id: kid,
  });
  output.note(`To use it, set JWT_SIGNING_KEY_PEM_FILE=${file}`);
}

async function makeKey(
  bits: SigningKeyBits,
): Promise<{ privateKeyPem: string; kid: string; publicJwk: PublicJwk }> {
  const { generateSigningKey } = await import('@latchkey/core/keys');
  const { readRsaKey } = await import('@latchkey/core/keys');
  const privateKeyPem = await generateSigningKey(bits);
  const { kid, jwk } = await readRsaKey(privateKeyPem);
  return { privateKeyPem, kid, publicJwk: jwk };
}
