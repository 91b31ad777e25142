import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { Option, type Command } from 'commander';
import type { PublicJwk } from '@latchkey/core';
import { action, type Call } from '../runtime/call.js';
import { withCommonOptions } from '../runtime/command-options.js';
import { assertMayCreate, writeSecretFile } from '../runtime/secret-file.js';
import type { Terminal } from '../runtime/terminal.js';

interface GenerateOptions {
  bits: '2048' | '3072' | '4096';
  out?: string;
  force?: boolean;
  jwk?: boolean;
}

export function addKeysCommands(program: Command, terminal: Terminal): void {
  const keys = program.command('keys').helpCommand(false).description('Make keys for signing tokens.');
  withCommonOptions(
    keys
      .command('generate')
      .description('Make an RSA key for JWT_SIGNING_KEY_PEM. Needs no database.')
      .addOption(
        new Option('--bits <n>', 'length of the key').choices(['2048', '3072', '4096']).default('2048'),
      )
      .option('--out <file>', 'write the key to this file, readable by you alone (mode 0600)')
      .option('--force', 'replace the file if there is one')
      .option('--jwk', 'print the public key as JWK, too'),
    {
      json: '{ kid, bits, publicJwk, file } or, without --out, { kid, bits, publicJwk, privateKeyPem }',
      quiet: 'print the key only or, with --out, the key id only',
      notes:
        'The private key is PEM (PKCS#8). Without --out it goes to standard output, and what is said about it to ' +
        'standard error. A longer key signs more slowly: 4096 bits take about six times as long as 2048.',
      examples: [
        ['latchkey keys generate --out signing-key.pem', 'then set JWT_SIGNING_KEY_PEM_FILE=signing-key.pem'],
        [
          'latchkey keys generate --bits 3072 --quiet | vault kv put secret/latchkey key=-',
          'straight into a vault',
        ],
      ],
    },
  ).action(action(terminal, generate));
}

interface SigningKey {
  privateKeyPem: string;
  kid: string;
  publicJwk: PublicJwk;
}

async function generate({ options, output }: Call<GenerateOptions>): Promise<void> {
  const { out: file, force = false, jwk = false } = options;
  const bits = Number(options.bits);
  if (file !== undefined && !force) await assertMayCreate(file);
  const { privateKeyPem, kid, publicJwk } = await generateSigningKey(bits);
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

async function generateSigningKey(modulusLength: number): Promise<SigningKey> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength });
  const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const { readRsaKey } = await import('@latchkey/core');
  const { kid, jwk } = await readRsaKey(privateKeyPem);
  return { privateKeyPem, kid, publicJwk: jwk };
}
