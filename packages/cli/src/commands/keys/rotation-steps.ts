import type { Command } from 'commander';
import type { KeyRotation, RotatingKeyView, RotationStatus } from '@latchkey/operations/keys';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import type { Terminal } from '../../runtime/terminal.js';
import { bitsOf, bitsOption, type BitsOption } from './generate-key.js';
import { DIR, openRotation, ROTATION_JSON, statusOf, tried, type RotationOptions } from './open-rotation.js';
import { answer } from './rotation-answer.js';

export interface StepOptions extends RotationOptions {
  force?: boolean;
}

export const FORCE = ['--force', 'do it before it is safe'] as const;

export function addPublish(rotate: Command, terminal: Terminal): void {
  withCommonOptions(
    rotate
      .command('publish')
      .description('Create the next key, and accept it beside the signing key.')
      .option(...DIR)
      .addOption(bitsOption()),
    {
      json: ROTATION_JSON,
      quiet: 'print the id of the next key',
      notes:
        'Its private half is also in verification-keys.pem; only public halves are ever published. While ' +
        'services are restarted one by one for the next step, those that still sign with the old key must recognize ' +
        'refresh tokens that others have already derived from the next one.',
      examples: [
        ['latchkey keys rotate publish --dir keys', 'the first step'],
        ['latchkey keys rotate publish --dir keys --bits 3072', 'change to a longer key'],
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

/** Publishes the next key. @param call with the length of the key; defaults to 2048 bits. */
export async function publish(call: Call<Partial<BitsOption>>, rotation: KeyRotation): Promise<void> {
  const { bits = '2048' } = call.options;
  const status = await call.progress.during('Creating the key', () =>
    tried(rotation, () => rotation.publish(bitsOf({ bits }))),
  );
  const { kid = '' } = keyOf(status, 'next') ?? {};
  answer(call, status, { text: `Published the next key ${kid}. It does not sign yet.`, id: kid });
}

export function addPromote(rotate: Command, terminal: Terminal): void {
  withCommonOptions(
    rotate
      .command('promote')
      .description('Sign with the next key. The old key stays accepted.')
      .option(...DIR)
      .option(...FORCE),
    {
      json: ROTATION_JSON,
      quiet: 'print the id of the key that signs after the next restart',
      confirms: true,
      notes:
        'Possible five minutes (the max-age of the key set) after the services were restarted: until then a verifier ' +
        'may hold a key set without the next key, and reject its tokens. Asks for confirmation only with --force.',
      examples: [
        ['latchkey keys rotate promote --dir keys', 'the second step'],
        [
          'latchkey keys rotate promote --dir keys --force --yes',
          'immediately, if no other service verifies tokens',
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
  'Sign with the next key now? Verifiers that have not loaded it yet will reject its tokens, for up to ' +
  'five minutes.';

export async function promote(call: Call<StepOptions>, rotation: KeyRotation): Promise<void> {
  const { force = false } = call.options;
  const status = await tried(rotation, () => rotation.promote({ force }));
  const { kid = '' } = keyOf(status, 'signing') ?? {};
  answer(call, status, {
    text: `${kid} signs after the next restart. The old key stays accepted.`,
    id: kid,
  });
}

const keyOf = ({ keys }: RotationStatus, role: RotatingKeyView['role']): RotatingKeyView | undefined =>
  keys.find((key) => key.role === role);
