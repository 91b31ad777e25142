import type { Command } from 'commander';
import type { KeyRotation, NextStep, RotatingKeyView, RotationStatus } from '@latchkey/core/keys';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import type { Terminal } from '../../runtime/terminal.js';
import { DIR, openRotation, ROTATION_JSON, statusOf, type RotationOptions } from './open-rotation.js';
import { addRestarted, noteRestart } from './restarted-services.js';
import { addRetire, retire } from './retire-key.js';
import { addPromote, addPublish, promote, publish } from './rotation-steps.js';
import { isDue, rotationLines } from './rotation-text.js';

const QUIET = 'print the next step only: publish, restart, promote or retire';

const FIELDS: (keyof RotatingKeyView)[] = [
  'role',
  'kid',
  'bits',
  'madeAt',
  'signsSince',
  'promotableAt',
  'tokensGoneAt',
  'retirableAt',
];

export function addRotate(keys: Command, terminal: Terminal): void {
  const rotate = keys
    .command('rotate')
    .helpCommand(false)
    .description('Replace the signing key in steps, without refusing one good token.');
  addGuide(rotate, terminal);
  addStatus(rotate, terminal);
  addPublish(rotate, terminal);
  addRestarted(rotate, terminal);
  addPromote(rotate, terminal);
  addRetire(rotate, terminal);
}

function addGuide(rotate: Command, terminal: Terminal): void {
  withCommonOptions(
    rotate
      .command('guide', { isDefault: true })
      .description(
        'Show where the rotation stands and, on a terminal, offer the next step. Need not be written.',
      )
      .option(...DIR),
    {
      json: ROTATION_JSON,
      quiet: QUIET,
      notes: NOTES,
      examples: [
        ['latchkey keys rotate --dir keys', 'the same as: latchkey keys rotate guide --dir keys'],
        ['latchkey keys rotate publish --dir keys', 'begin'],
      ],
    },
  ).action(action(terminal, showAndOffer));
}

const NOTES =
  'The folder holds signing-key.pem (the first one: latchkey keys generate --out <folder>/signing-key.pem) and, from ' +
  'the first step on, verification-keys.pem and rotation.json. The services name the first two in ' +
  'JWT_SIGNING_KEY_PEM_FILE and JWT_VERIFICATION_KEYS_PEM_FILE, in every step the same; after each step they are ' +
  'restarted, one after the other. Publish: the next key is made and accepted beside the other. Promote: it signs. ' +
  'Retire: the old key goes. Between the steps pass the five minutes for which verifiers keep the key set, and the time ' +
  'for which what the old key has made is good. A step is one renamed file: whatever interrupts it, it is done or not.';

function addStatus(rotate: Command, terminal: Terminal): void {
  withCommonOptions(
    rotate
      .command('status')
      .description('Show where the rotation stands and what comes next. Changes nothing.')
      .option(...DIR),
    {
      json: ROTATION_JSON,
      quiet: QUIET,
      notes:
        'Without a terminal, a line for each key: role (signing, next, old), key id, bits, made, signs since, may sign ' +
        'from, needed for tokens until, needed for sessions until, separated by tabs.',
      examples: [
        ['latchkey keys rotate status --dir keys', 'look, change nothing'],
        ['latchkey keys rotate status --dir keys --quiet', 'in a script: which step is next'],
      ],
    },
  ).action(
    action<RotationOptions>(terminal, async (call) => {
      show(call, await statusOf(await openRotation(call)));
    }),
  );
}

async function showAndOffer(call: Call<RotationOptions>): Promise<void> {
  const rotation = await openRotation(call);
  const status = await statusOf(rotation);
  show(call, status);
  const { json = false, quiet = false } = call.options;
  if (!call.prompts.canAsk || json || quiet || !isDue(status.next)) return;
  const { question, run } = OFFERS[status.next.step];
  if (question === undefined || (await call.prompts.agrees(question))) await run(call, rotation);
}

function show({ output, options }: Call, status: RotationStatus): void {
  if (options.quiet === true) {
    output.answer({ view: status, text: '', id: status.next.step });
    return;
  }
  output.report({
    view: status,
    items: status.keys,
    fields: FIELDS,
    id: ({ kid }) => kid,
    forPeople: ({ paint }) => rotationLines(status, paint),
  });
}

interface Offer {
  /** Undefined: the step asks by itself. */
  question: string | undefined;
  run: (call: Call, rotation: KeyRotation) => Promise<void>;
}

const OFFERS: Record<NextStep['step'], Offer> = {
  publish: { question: 'Publish the next key now?', run: publish },
  restart: { question: 'Has every service been restarted with these files?', run: noteRestart },
  promote: { question: 'Let the next key sign from the next restart on?', run: promote },
  retire: { question: undefined, run: retire },
};
