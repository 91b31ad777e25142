import type { Command } from 'commander';
import type { KeyRotation, RotationStatus } from '@latchkey/operations/keys';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { CommandError, EXIT } from '../../runtime/failure.js';
import { keySetAddress, loadKeySet } from '../../runtime/key-set-source.js';
import type { Terminal } from '../../runtime/terminal.js';
import { DIR, openRotation, ROTATION_JSON, statusOf, tried, type RotationOptions } from './open-rotation.js';
import { answer } from './rotation-answer.js';

export function addRestarted(rotate: Command, terminal: Terminal): void {
  withCommonOptions(
    rotate
      .command('restarted')
      .description('Confirm that every service runs with the current files. Waiting times start now.')
      .option(...DIR)
      .option('--url <address...>', 'check the key sets of these services first; list every replica'),
    {
      json: ROTATION_JSON,
      quiet: 'print nothing',
      notes:
        'Run it after the last service was restarted, not the first: until then tokens are signed, and key sets ' +
        'served, as before. With --url it is rejected while a service returns another key set.',
      examples: [
        ['latchkey keys rotate restarted --dir keys', 'after the last restart'],
        [
          'latchkey keys rotate restarted --dir keys --url http://auth-1:3097 http://auth-2:3097',
          'and check the services',
        ],
      ],
    },
  ).action(
    action<RotationOptions & { url?: string[] }>(terminal, async (call) => {
      const rotation = await openRotation(call);
      const status = await statusOf(rotation);
      await call.progress.during('Asking the services', () =>
        Promise.all((call.options.url ?? []).map((url) => assertRestarted(url, status))),
      );
      await noteRestart(call, rotation);
    }),
  );
}

export async function noteRestart(call: Call, rotation: KeyRotation): Promise<void> {
  const { next } = await rotation.status();
  const status = await tried(rotation, () => rotation.confirmRestart());
  const text =
    next.step === 'restart' ? 'Confirmed: every service runs with these files.' : 'No restart was pending.';
  answer(call, status, { text });
}

/** Checks the key set of a service, which publishes its signing key first. */
async function assertRestarted(url: string, { keys }: RotationStatus): Promise<void> {
  const { keyIds } = await loadKeySet(keySetAddress(url));
  const [signing, ...others] = keys.map(({ kid }) => kid);
  const [found, ...foundOthers] = keyIds;
  const isSame = found === signing && [...foundOthers].sort().join() === [...others].sort().join();
  if (isSame) return;
  throw new CommandError(
    EXIT.failed,
    `${url} does not run with these files: it signs with ${found ?? 'nothing'} and accepts ${keyIds.length} keys.`,
    'Restart it with these settings, and run this command again.',
  );
}
