import type { Command } from 'commander';
import type { PublicJwk, RsaKey } from '@latchkey/core/keys';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { CommandError, EXIT } from '../../runtime/failure.js';
import { findSettingsKeys } from '../../runtime/settings-keys.js';
import type { Terminal } from '../../runtime/terminal.js';
import { readTextFile } from '../../runtime/text-file.js';

export function addKeySet(keys: Command, terminal: Terminal): void {
  withCommonOptions(
    keys
      .command('jwks')
      .argument('[files...]', 'PEM files, the signing key first; defaults to the keys of the settings')
      .description('Print the public key set, as GET /.well-known/jwks.json returns it.')
      .option('--pem', 'print the public keys as PEM instead'),
    {
      json: '{ keys: [{ kty, n, e, kid, use, alg }] }, in lines; with --pem { pem: string }',
      quiet: 'print only the key ids',
      notes:
        'This is all that is needed to verify tokens without calling the service. Private parts are never shown.',
      examples: [
        ['latchkey keys jwks > jwks.json', 'the key set, byte for byte'],
        [
          'latchkey keys jwks signing-key.pem --pem',
          'the public half of a key, for a library that needs PEM',
        ],
      ],
    },
  ).action(action(terminal, printKeySet));
}

async function printKeySet({ args, options, output }: Call<{ pem?: boolean }>): Promise<void> {
  const jwks = args.length > 0 ? await fromFiles(args) : (await findSettingsKeys()).keys.toJwks();
  const id = jwks.keys.map(({ kid }) => kid).join('\n');
  if (options.pem !== true) {
    output.answer({ view: jwks, text: JSON.stringify(jwks), id });
    return;
  }
  const { publicPemOf } = await import('@latchkey/core/keys');
  const pem = jwks.keys.map(publicPemOf).join('');
  output.answer({ view: { pem }, text: pem.trimEnd(), id });
}

async function fromFiles(files: readonly string[]): Promise<{ keys: PublicJwk[] }> {
  const { toJwks } = await import('@latchkey/core/keys');
  return toJwks((await Promise.all(files.map(readKeysOf))).flat());
}

async function readKeysOf(file: string): Promise<RsaKey[]> {
  const text = await readTextFile(file);
  const { readRsaKeys } = await import('@latchkey/core/keys');
  const keys = await readRsaKeys(text).catch(() => []);
  if (keys.length > 0) return keys;
  throw new CommandError(
    EXIT.failed,
    `${file} has no key that the service accepts.`,
    `See: latchkey keys inspect ${file}`,
  );
}
