import { expect, it } from 'vitest';
import { MAIL_KINDS, OUTBOX_STATES } from '@latchkey/core/names';
import type { OutboxMailView } from '@latchkey/operations';
import { displayWidth } from '../../runtime/printable.js';
import { renderTable } from '../../runtime/table.js';
import { OUTBOX_LIST } from './outbox-list.js';

const IDS = ['01a20354-189b-714f-95e2-8a6f81b4764c', '01a20354-182d-7562-94f0-f413b30f7ddb'];

it.each(MAIL_KINDS)('mail of the kind %s fits into 80 columns in every state, whatever its error', (kind) => {
  for (const state of OUTBOX_STATES) {
    const mails = IDS.map((id) => mail({ id, kind, state }));
    const lines = renderTable(mails, OUTBOX_LIST.columns, { columns: 80, paint: (_style, text) => text });
    for (const line of lines) expect(displayWidth(line), line).toBeLessThanOrEqual(80);
    expect(lines[1]).toContain(kind.slice(0, 13));
  }
});

const mail = (own: Pick<OutboxMailView, 'id' | 'kind' | 'state'>): OutboxMailView => ({
  ...own,
  recipient: `${'a'.repeat(60)}@example.com`,
  attempts: 4,
  createdAt: new Date(Date.now() - 3_600_000).toISOString(),
  nextAttemptAt: new Date(Date.now() + 60_000).toISOString(),
  sentAt: null,
  lastError: 'connect ECONNREFUSED 127.0.0.1:25',
});
