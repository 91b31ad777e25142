import type { Command } from 'commander';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { withAdministration } from '../../runtime/connection.js';
import { countOf } from '../../runtime/count-words.js';
import { CommandError, EXIT } from '../../runtime/failure.js';
import type { Terminal } from '../../runtime/terminal.js';

export function addReencrypt(keys: Command, terminal: Terminal): void {
  withCommonOptions(
    keys
      .command('reencrypt')
      .description('Encrypt the secrets in the database by the first key of ENCRYPTION_KEYS.'),
    {
      json: '{ reencrypted: number, unreadable: number, keyId }',
      quiet: 'print nothing',
      notes:
        'To replace a key: add the new one at the end of ENCRYPTION_KEYS and restart every replica; move it to the front and ' +
        'restart them again; run this command; remove the old key. Sign-ins go on meanwhile. Recovery codes of an earlier version, which ' +
        'have no key, get one: run this when no replica runs that version any more. Needs the database and the keys. ' +
        'Exits with 1 if the key of a secret is missing.',
      examples: [
        ['latchkey keys reencrypt', 'after the new key was moved to the front'],
        ['latchkey doctor', 'shows whether an older key is still needed'],
      ],
    },
  ).action(action(terminal, reencrypt));
}

async function reencrypt(call: Call): Promise<void> {
  const { readFactorKeys } = await import('@latchkey/core/keys');
  const keys = readFactorKeys();
  if (!keys) {
    throw new CommandError(EXIT.failed, 'There is no key: ENCRYPTION_KEYS is not set.');
  }
  await withAdministration(call, async ({ administration }) => {
    const view = await call.progress.during('Encrypting secrets', (bar) =>
      administration.factors.reencrypt(keys.reveal(), (done) => bar.at(done)),
    );
    call.output.answer({
      view,
      text: `Encrypted ${countOf(view.reencrypted, 'secret')} by key ${view.keyId}.`,
    });
    if (view.unreadable === 0) return;
    throw new CommandError(
      EXIT.failed,
      `The key of ${countOf(view.unreadable, 'secret')} is missing.`,
      'Add it to ENCRYPTION_KEYS; latchkey doctor names its fingerprint.',
    );
  });
}
