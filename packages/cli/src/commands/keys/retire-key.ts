import type { Command } from 'commander';
import type { KeyRotation, RotatingKeyView, RotationStatus } from '@latchkey/core/keys';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { countOf } from '../../runtime/count-words.js';
import type { Terminal } from '../../runtime/terminal.js';
import { DIR, openRotation, ROTATION_JSON, statusOf, tried } from './open-rotation.js';
import { answer } from './rotation-answer.js';
import { FORCE, type StepOptions } from './rotation-steps.js';

export function addRetire(rotate: Command, terminal: Terminal): void {
  withCommonOptions(
    rotate
      .command('retire')
      .description('Take the old key away, for good.')
      .option(...DIR)
      .option(...FORCE),
    {
      json: ROTATION_JSON,
      quiet: 'print the ids of the keys that are left',
      confirms: true,
      notes:
        'Possible when every token it signed has expired (the longer of ACCESS_TOKEN_TTL and SERVICE_TOKEN_TTL) and, ' +
        'unless REFRESH_TOKEN_PEPPER is set, every session of its time has ended (SESSION_MAX_LIFETIME): refresh ' +
        'tokens are derived from the key. Without it sessions go on, because the current token of each is known by its ' +
        'digest. But a spent one is no longer told from an invented one: its reuse goes unnoticed, and of two tabs ' +
        'that refresh at the same moment one may be refused. If REFRESH_TOKEN_PEPPER was set while the old key signed, ' +
        'its sessions need it all the same: wait SESSION_MAX_LIFETIME. If the key was stolen, use --force.',
      examples: [
        ['latchkey keys rotate retire --dir keys', 'the last step'],
        ['latchkey keys rotate retire --dir keys --yes', 'without being asked'],
      ],
    },
  ).action(
    action<StepOptions>(terminal, async (call) => {
      const rotation = await openRotation(call);
      await retire(call, rotation);
    }),
  );
}

export async function retire(call: Call<StepOptions>, rotation: KeyRotation): Promise<void> {
  const { force = false } = call.options;
  const before = await statusOf(rotation);
  if (force || isDue(before)) await call.prompts.confirm(questionFor(before, force));
  const status = await tried(rotation, () => rotation.retire({ force }));
  const gone = before.keys.length - status.keys.length;
  answer(call, status, {
    text: `Took ${countOf(gone, 'old key')} away. After the next restart no service knows it any more.`,
    id: status.keys.map(({ kid }) => kid).join('\n'),
  });
}

const isDue = ({ keys }: RotationStatus): boolean => keys.some(isRetirable);

const isRetirable = ({ retirableAt }: RotatingKeyView): boolean =>
  retirableAt !== null && Date.parse(retirableAt) <= Date.now();

function questionFor({ keys }: RotationStatus, force: boolean): string {
  const going = keys.filter((key) => key.role === 'old' && (force || isRetirable(key)));
  const ids = going.map(({ kid }) => kid).join(', ');
  const early = going.every(isRetirable)
    ? ''
    : ' What it signed may still be valid, and is refused then; sessions of its time lose what the help of this command says.';
  return `Take the old key ${ids} away? It cannot be brought back.${early}`;
}
