import { describe, expect, it } from 'vitest';
import { AUDIT_EVENTS } from '../packages/core/src/audit/audit-event.js';
import { MAIL_KINDS } from '../packages/core/src/mail/mail-kind.js';
import { REVOKE_REASONS } from '../packages/core/src/sessions/session.js';
import { COMPANY_WEBHOOK_TYPES, WEBHOOK_TYPES } from '../packages/core/src/webhooks/webhook-event.js';
import { webhookTypesOf } from '../packages/pages/src/browser/webhooks/webhook-types.js';
import * as german from '../packages/pages/src/messages/de/console/names.js';
import * as english from '../packages/pages/src/messages/en/console/names.js';

describe.each([
  ['English', english],
  ['German', german],
])('the names of the console in %s', (_language, names) => {
  it.each([
    ['event of the audit log', AUDIT_EVENTS, names.eventMessages],
    ['kind of mail', MAIL_KINDS, names.mailKindMessages],
    ['reason of the end of a session', REVOKE_REASONS, names.endMessages],
  ])('every %s has a name, and nothing else has', (_kind, values, texts) => {
    expect(Object.keys(texts).sort(), 'packages/pages/src/messages/<language>/console/names.ts').toEqual(
      [...values].sort(),
    );
  });
});

it('the console offers every type of message that a webhook can receive, and those of companies to companies', () => {
  expect([...webhookTypesOf(false)].sort()).toEqual([...WEBHOOK_TYPES].sort());
  expect([...webhookTypesOf(true)].sort()).toEqual([...COMPANY_WEBHOOK_TYPES].sort());
});
