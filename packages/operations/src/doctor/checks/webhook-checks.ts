import { roundedDurationText } from '@latchkey/core/internal/kernel/duration-text';
import { check, ok, skipped, warning, type Check } from '../check.js';

const MOST_BEHIND_SECONDS = 300;

export const webhookChecks: readonly Check[] = [
  check({
    id: 'webhooks.deliveries',
    group: 'Webhooks',
    title: 'Receivers of webhooks accept messages',
    why: 'An endpoint is disabled after five days without a success, and misses what happens until it is activated.',
    needs: ['settings', 'content'],
    judge: ({ settings, content: { webhooks } }) => {
      const { active, failing, disabled } = webhooks;
      if (settings.webhooks.mode === 'off') return skipped('webhooks are off (WEBHOOKS)');
      if (failing + disabled === 0) return ok(active === 0 ? 'there are none' : `${active} active`);
      return warning(
        `${failing} without a success for an hour, ${disabled} disabled`,
        'latchkey webhooks list; latchkey webhooks deliveries <webhook> shows the failures',
      );
    },
  }),
  check({
    id: 'webhooks.cursor',
    group: 'Webhooks',
    title: 'The audit log is followed for webhooks',
    why: 'A transaction that stays open holds messages back, and without a running service none is queued.',
    needs: ['settings', 'content'],
    judge: ({ settings, content: { webhooks } }) => {
      const { active, behind } = webhooks;
      if (settings.webhooks.mode === 'off' || active === 0) return skipped('there are no active webhooks');
      if (behind <= MOST_BEHIND_SECONDS) return ok('up to date');
      return warning(
        `behind by ${roundedDurationText(Math.round(behind))}`,
        'check that a service with WEBHOOKS runs, and end transactions that are open for long: pg_stat_activity',
      );
    },
  }),
];
