import type { Command } from 'commander';
import type { KeyRotation, RotationStatus } from '@latchkey/core/keys';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { CommandError, EXIT } from '../../runtime/failure.js';
import { keySetAddress, loadKeySet } from '../../runtime/key-set-source.js';
import type { Terminal } from '../../runtime/terminal.js';
import { DIR, openRotation, ROTATION_JSON, statusOf, tried, type RotationOptions } from './open-rotation.js';
import { answer } from './rotation-answer.js';

interface RestartedOptions extends RotationOptions {
  url?: string[];
}

export function addRestarted(rotate: Command, terminal: Terminal): void {
  withCommonOptions(
    rotate
      .command('restarted')
      .description(
        'Note that every service runs with the files as they are now. From now on the times count.',
      )
      .option(...DIR)
      .option('--url <address...>', 'look at the key sets of these services first; name every replica'),
    {
      json: ROTATION_JSON,
      quiet: 'print nothing',
      notes:
        'Say it when the last service was restarted, not the first: until then tokens are signed, and key sets ' +
        'answered, as before. With --url it is refused while one of them answers another key set.',
      examples: [
        ['latchkey keys rotate restarted --dir keys', 'after the last restart'],
        [
          'latchkey keys rotate restarted --dir keys --url http://auth-1:3097 http://auth-2:3097',
          'and let it be checked',
        ],
      ],
    },
  ).action(
    action<RestartedOptions>(terminal, async (call) => {
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
    next.step === 'restart' ? 'Noted: every service runs with these files.' : 'Nothing waited for a restart.';
  answer(call, status, { text });
}

/** A service publishes the key it signs with first. */
async function assertRestarted(url: string, { keys }: RotationStatus): Promise<void> {
  const { keyIds } = await loadKeySet(keySetAddress(url));
  const [signing, ...others] = keys.map(({ kid }) => kid);
  const [found, ...foundOthers] = keyIds;
  const isSame = found === signing && [...foundOthers].sort().join() === [...others].sort().join();
  if (isSame) return;
  throw new CommandError(
    EXIT.failed,
    `${url} does not run with these files: it signs with ${found ?? 'nothing'} and accepts ${keyIds.length} keys.`,
    'Restart it with these settings, and run this again.',
  );
}
