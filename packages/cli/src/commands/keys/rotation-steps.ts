import type { Command } from 'commander';
import type { KeyRotation, RotatingKeyView, RotationStatus } from '@latchkey/core/keys';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import type { Terminal } from '../../runtime/terminal.js';
import { bitsOf, bitsOption, type BitsOption } from './generate-key.js';
import { DIR, openRotation, ROTATION_JSON, statusOf, tried, type RotationOptions } from './open-rotation.js';
import { answer } from './rotation-answer.js';

export interface StepOptions extends RotationOptions {
  force?: boolean;
}

export const FORCE = ['--force', 'do it though it is too early'] as const;

export function addPublish(rotate: Command, terminal: Terminal): void {
  withCommonOptions(
    rotate
      .command('publish')
      .description('Make the next key and have it accepted beside the one that signs.')
      .option(...DIR)
      .addOption(bitsOption()),
    {
      json: ROTATION_JSON,
      quiet: 'print the id of the next key',
      notes:
        'Its private half is in verification-keys.pem, too, of which only the public halves are ever published: while ' +
        'services are restarted one by one for the next step, those that still sign with the old key must recognise ' +
        'refresh tokens that others have already derived from the next one.',
      examples: [
        ['latchkey keys rotate publish --dir keys', 'the first step'],
        ['latchkey keys rotate publish --dir keys --bits 3072', 'on the way to a longer key'],
      ],
    },
  ).action(
    action<RotationOptions & BitsOption>(terminal, async (call) => {
      const rotation = await openRotation(call);
      await statusOf(rotation);
      await publish(call, rotation);
    }),
  );
}

/** @param call with the length of the key; 2048 bits unless it says so. */
export async function publish(call: Call<Partial<BitsOption>>, rotation: KeyRotation): Promise<void> {
  const { bits = '2048' } = call.options;
  const status = await call.progress.during('Making the key', () =>
    tried(rotation, () => rotation.publish(bitsOf({ bits }))),
  );
  const { kid = '' } = keyOf(status, 'next') ?? {};
  answer(call, status, { text: `Published the next key ${kid}. Nothing is signed with it yet.`, id: kid });
}

export function addPromote(rotate: Command, terminal: Terminal): void {
  withCommonOptions(
    rotate
      .command('promote')
      .description('Let the next key sign. The old one stays accepted.')
      .option(...DIR)
      .option(...FORCE),
    {
      json: ROTATION_JSON,
      quiet: 'print the id of the key that signs from the next restart on',
      confirms: true,
      notes:
        'Possible five minutes (the max-age of the key set) after the services were restarted: until then a verifier ' +
        'may hold a key set without the next key, and refuse what it signs. Asks for consent with --force only.',
      examples: [
        ['latchkey keys rotate promote --dir keys', 'the second step'],
        [
          'latchkey keys rotate promote --dir keys --force --yes',
          'at once, when no other service verifies tokens',
        ],
      ],
    },
  ).action(
    action<StepOptions>(terminal, async (call) => {
      const rotation = await openRotation(call);
      await statusOf(rotation);
      if (call.options.force === true) await call.prompts.confirm(PROMOTE_BY_FORCE);
      await promote(call, rotation);
    }),
  );
}

const PROMOTE_BY_FORCE =
  'Let the next key sign, however young it is? Verifiers that have not seen it yet refuse what it signs, for up to ' +
  'five minutes.';

export async function promote(call: Call<StepOptions>, rotation: KeyRotation): Promise<void> {
  const { force = false } = call.options;
  const status = await tried(rotation, () => rotation.promote({ force }));
  const { kid = '' } = keyOf(status, 'signing') ?? {};
  answer(call, status, {
    text: `From the next restart on, ${kid} signs. The old key stays accepted.`,
    id: kid,
  });
}

const keyOf = ({ keys }: RotationStatus, role: RotatingKeyView['role']): RotatingKeyView | undefined =>
  keys.find((key) => key.role === role);
