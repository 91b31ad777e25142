import type { Command } from 'commander';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { companyId } from '../../runtime/company-id.js';
import { withAdministration, withOperator, type OperatorSession } from '../../runtime/connection.js';
import { countOf } from '../../runtime/count-words.js';
import { CommandError, EXIT } from '../../runtime/failure.js';
import type { Terminal } from '../../runtime/terminal.js';
import { addVerifyWebhook } from './verify-webhook.js';
import { DELIVERY_LIST, WEBHOOK_LIST } from './webhook-lists.js';

interface OwnerOptions {
  company?: string;
}

const COMPANY = ['--company <id>', 'of this company; otherwise of the platform'] as const;
const SENDS = 'The running service sends the message.';

export function addWebhooksCommands(program: Command, terminal: Terminal): void {
  const webhooks = program
    .command('webhooks')
    .helpCommand(false)
    .description('Manage receivers of signed messages about events, and what is sent to them.');
  addList(webhooks, terminal);
  addCreate(webhooks, terminal);
  addTest(webhooks, terminal);
  addDeliveries(webhooks, terminal);
  addRetry(webhooks, terminal);
  addReplay(webhooks, terminal);
  addVerifyWebhook(webhooks, terminal);
}

function addList(webhooks: Command, terminal: Terminal): void {
  const command = webhooks
    .command('list')
    .description('List webhooks.')
    .option(...COMPANY);
  withCommonOptions(command, {
    json: 'array of { id, companyId, url, events, description, isActive, disabledReason, failingSince, … }',
    quiet: 'print only the ids',
    examples: [['latchkey webhooks list', 'the webhooks of the platform, and whether they work']],
  }).action(
    action(terminal, async (call: Call<OwnerOptions>) => {
      const company = await ownerOf(call);
      await withAdministration(call, async ({ administration }) => {
        const items = await administration.webhooks.list({ companyId: company });
        call.output.list({ items, total: items.length }, WEBHOOK_LIST);
      });
    }),
  );
}

interface CreateOptions extends OwnerOptions {
  events: string;
  description?: string;
}

function addCreate(webhooks: Command, terminal: Terminal): void {
  const command = webhooks
    .command('create')
    .argument('<url>', 'the https address of the receiver')
    .description('Create a webhook, and print its secret once.')
    .requiredOption('--events <types>', 'comma-separated types of messages, or *')
    .option('--description <text>', 'for administrators')
    .option(...COMPANY);
  withCommonOptions(command, {
    json: '{ webhook, secret }',
    audited: true,
    quiet: 'print only the secret',
    notes: 'Needs ENCRYPTION_KEYS. The webhook receives what is committed after it.',
    examples: [
      [
        'latchkey webhooks create https://hooks.example.com/latchkey --events user.created,user.erased',
        'two types of messages',
      ],
    ],
  }).action(
    action(terminal, async (call: Call<CreateOptions>) => {
      const { readFactorKeys } = await import('@latchkey/core/keys');
      const keys = readFactorKeys();
      if (!keys) throw new CommandError(EXIT.failed, 'There is no key: ENCRYPTION_KEYS is not set.');
      const { events, description } = call.options;
      const [url = ''] = call.args;
      await asOwner(call, async ({ administration }, owner) => {
        const input = {
          url,
          events: events.split(',').map((event) => event.trim()) as ['*'],
          ...(description !== undefined && { description }),
        };
        const view = await administration.webhooks.create(owner, input, keys.reveal());
        const text = `Created ${view.webhook.id}. The secret is not shown again:\n${view.secret}`;
        call.output.answer({ view, text, id: view.secret });
      });
    }),
  );
}

function addTest(webhooks: Command, terminal: Terminal): void {
  const command = webhooks
    .command('test')
    .argument('<webhook>', 'id of the webhook')
    .description('Send a message of the type webhook.test.')
    .option(...COMPANY);
  withCommonOptions(command, {
    json: '{ id, event, status, … }',
    quiet: 'print only the id of the delivery',
    notes: `${SENDS} latchkey webhooks deliveries shows the result.`,
    examples: [
      ['latchkey webhooks test 01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55', 'after the receiver was set up'],
    ],
  }).action(
    action(terminal, async (call: Call<OwnerOptions>) => {
      const [webhook = ''] = call.args;
      await asOwner(call, async ({ administration }, owner) => {
        const view = await administration.webhooks.test(owner, webhook);
        call.output.answer({ view, text: `Queued ${view.id}; the service sends it.`, id: view.id });
      });
    }),
  );
}

/** The deliveries that are shown: the newest. */
const MOST_SHOWN = 200;

function addDeliveries(webhooks: Command, terminal: Terminal): void {
  const command = webhooks
    .command('deliveries')
    .argument('<webhook>', 'id of the webhook')
    .description(`List the deliveries of a webhook, newest first, at most ${MOST_SHOWN}.`)
    .option('--status <status>', 'only with this status: PENDING, SENT, DEAD or SKIPPED')
    .option(...COMPANY);
  withCommonOptions(command, {
    json: 'array of { id, event, auditId, status, attempts, nextAttemptAt, lastStatus, lastError, createdAt, endedAt }',
    quiet: 'print only the ids',
    notes: 'Of a response only the status and the kind of failure are kept: refused, timeout, tls or status.',
    examples: [
      [
        'latchkey webhooks deliveries 01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55 --status DEAD',
        'messages that were given up',
      ],
    ],
  }).action(
    action(terminal, async (call: Call<OwnerOptions & { status?: string }>) => {
      const [webhook = ''] = call.args;
      const company = await ownerOf(call);
      const status = call.options.status?.toUpperCase() as 'DEAD' | undefined;
      await withAdministration(call, async ({ administration }) => {
        const slice = { limit: MOST_SHOWN, ...(status !== undefined && { status }) };
        const { items } = await administration.webhooks.deliveries({ companyId: company }, webhook, slice);
        call.output.list({ items, total: items.length }, DELIVERY_LIST);
      });
    }),
  );
}

function addRetry(webhooks: Command, terminal: Terminal): void {
  const command = webhooks
    .command('retry')
    .argument('<webhook>', 'id of the webhook')
    .argument('<delivery>', 'id of the delivery')
    .description('Send a delivery again, under the same id.')
    .option(...COMPANY);
  withCommonOptions(command, {
    json: '{ id, event, status, … }',
    audited: true,
    quiet: 'print only the id of the delivery',
    notes: SENDS,
    examples: [
      [
        'latchkey webhooks retry 01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55 01981f3e-6d2b-7b7e-9d3c-2f6f0d1c9a55',
        'after the receiver was fixed',
      ],
    ],
  }).action(
    action(terminal, async (call: Call<OwnerOptions>) => {
      const [webhook = '', delivery = ''] = call.args;
      await asOwner(call, async ({ administration }, owner) => {
        const view = await administration.webhooks.retry(owner, webhook, delivery);
        call.output.answer({ view, text: `Queued ${view.id}; the service sends it.`, id: view.id });
      });
    }),
  );
}

function addReplay(webhooks: Command, terminal: Terminal): void {
  const command = webhooks
    .command('replay')
    .argument('<webhook>', 'id of the webhook')
    .description('Send what the audit log has of a time again.')
    .requiredOption('--from <instant>', 'the first instant in ISO 8601, at most 30 days ago')
    .option('--to <instant>', 'before this instant; defaults to now')
    .option(...COMPANY);
  withCommonOptions(command, {
    json: '{ queued: number }',
    audited: true,
    quiet: 'print only the number of deliveries',
    notes: `At most 10,000 entries of the log. Deliveries keep their ids, so receivers recognize them. ${SENDS}`,
    examples: [
      [
        'latchkey webhooks replay 01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55 --from 2026-11-20T00:00:00Z',
        'after the receiver lost data',
      ],
    ],
  }).action(
    action(terminal, async (call: Call<OwnerOptions & { from: string; to?: string }>) => {
      const [webhook = ''] = call.args;
      const { from, to } = call.options;
      await asOwner(call, async ({ administration }, owner) => {
        const view = await administration.webhooks.replay(owner, webhook, {
          from,
          ...(to !== undefined && { to }),
        });
        const text = `Queued ${countOf(view.queued, 'message')}; the service sends them.`;
        call.output.answer({ view, text, id: String(view.queued) });
      });
    }),
  );
}

async function ownerOf({ options, prompts }: Call<OwnerOptions>): Promise<string | null> {
  return options.company === undefined ? null : companyId(options.company, '--company <id>', prompts);
}

async function asOwner(
  call: Call<OwnerOptions>,
  work: (
    session: OperatorSession,
    owner: {
      administrator: OperatorSession['operator'];
      companyId: string | null;
      client: OperatorSession['client'];
    },
  ) => Promise<void>,
): Promise<void> {
  const company = await ownerOf(call);
  await withOperator(call, (session) =>
    work(session, { administrator: session.operator, companyId: company, client: session.client }),
  );
}
