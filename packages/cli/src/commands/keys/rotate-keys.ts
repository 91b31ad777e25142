import type { Command } from 'commander';
import type { KeyRotation, NextStep, RotatingKeyView, RotationStatus } from '@latchkey/operations/keys';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { CommandError, EXIT } from '../../runtime/failure.js';
import { keySetAddress, loadKeySet } from '../../runtime/key-set-source.js';
import type { Terminal } from '../../runtime/terminal.js';
import { DIR, openRotation, ROTATION_JSON, statusOf, tried, type RotationOptions } from './open-rotation.js';
import { addRetire, retire } from './retire-key.js';
import { answer } from './rotation-answer.js';
import { addPromote, addPublish, promote, publish } from './rotation-steps.js';
import { isDue, rotationLines } from './rotation-text.js';

function addRestarted(rotate: Command, terminal: Terminal): void {
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

async function noteRestart(call: Call, rotation: KeyRotation): Promise<void> {
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

const QUIET = 'print only the next step: publish, restart, promote or retire';

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
    .description('Replace the signing key in steps, without rejecting a valid token.');
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
        'Show the status of the rotation and, on a terminal, offer the next step. This is the default.',
      )
      .option(...DIR),
    {
      json: ROTATION_JSON,
      quiet: QUIET,
      notes: NOTES,
      examples: [
        ['latchkey keys rotate --dir keys', 'the same as: latchkey keys rotate guide --dir keys'],
        ['latchkey keys rotate publish --dir keys', 'the first step'],
      ],
    },
  ).action(action(terminal, showAndOffer));
}

const NOTES =
  'The folder holds signing-key.pem (create it with: latchkey keys generate --out <folder>/signing-key.pem) and, from ' +
  'the first step on, verification-keys.pem and rotation.json. Services read the first two through ' +
  'JWT_SIGNING_KEY_PEM_FILE and JWT_VERIFICATION_KEYS_PEM_FILE, which do not change; restart them after each step, ' +
  'one after the other. Publish: the next key is created and accepted beside the current one. Promote: it signs. ' +
  'Retire: the old key is deleted. Between the steps pass the five minutes for which verifiers cache the key set, and ' +
  'the lifetime of tokens of the old key. A step is one renamed file: an interrupted step is complete or has no effect.';

function addStatus(rotate: Command, terminal: Terminal): void {
  withCommonOptions(
    rotate
      .command('status')
      .description('Show the status of the rotation and the next step. Changes nothing.')
      .option(...DIR),
    {
      json: ROTATION_JSON,
      quiet: QUIET,
      notes:
        'Without a terminal, a line for each key: role (signing, next, old), key id, bits, made, signs since, may sign ' +
        'from, needed for tokens until, needed for sessions until, separated by tabs.',
      examples: [
        ['latchkey keys rotate status --dir keys', 'show the status'],
        ['latchkey keys rotate status --dir keys --quiet', 'in a script: the next step'],
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
  /** Undefined if the step asks by itself. */
  question: string | undefined;
  run: (call: Call, rotation: KeyRotation) => Promise<void>;
}

const OFFERS: Record<NextStep['step'], Offer> = {
  publish: { question: 'Publish the next key now?', run: publish },
  restart: { question: 'Has every service been restarted with these files?', run: noteRestart },
  promote: { question: 'Sign with the next key after the next restart?', run: promote },
  retire: { question: undefined, run: retire },
};
