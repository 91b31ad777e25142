import type { Command } from 'commander';
import type { KeyRotation, RotatingKeyView, RotationStatus } from '@latchkey/operations/keys';
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
      .description('Delete the old key permanently.')
      .option(...DIR)
      .option(...FORCE),
    {
      json: ROTATION_JSON,
      quiet: 'print the ids of the remaining keys',
      confirms: true,
      notes:
        'Possible once every token it signed has expired (the longer of ACCESS_TOKEN_TTL and SERVICE_TOKEN_TTL) and, ' +
        'unless REFRESH_TOKEN_PEPPER is set, every session from its time has ended (SESSION_MAX_LIFETIME): refresh ' +
        'tokens are derived from the key. Without the key sessions continue, because the current token of each is known by its ' +
        'digest. But a used token can no longer be distinguished from an invented one: its reuse is not detected, and of two tabs ' +
        'that refresh at the same time one may be rejected. If REFRESH_TOKEN_PEPPER was set while the old key signed, ' +
        'its sessions still need it: wait for SESSION_MAX_LIFETIME. If the key was stolen, use --force.',
      examples: [
        ['latchkey keys rotate retire --dir keys', 'the last step'],
        ['latchkey keys rotate retire --dir keys --yes', 'without confirmation'],
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
    text: `Deleted ${countOf(gone, 'old key')}. Services stop accepting it at their next restart.`,
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
    : ' Tokens it signed may still be valid and will be rejected; see the help for the effect on sessions.';
  return `Delete the old key ${ids}? This cannot be undone.${early}`;
}
