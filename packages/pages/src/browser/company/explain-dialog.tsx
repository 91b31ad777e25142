import type { VNode } from 'preact';
import { memberMessages as messages } from '../../messages/en/company.js';
import { accessMessages as access } from '../../messages/en/console/operations.js';
import { client } from '../client.js';
import { Button } from '../ui/button.js';
import { Actions, Dialog } from '../ui/dialog.js';
import { LoadState } from '../ui/load-state.js';
import { Table } from '../ui/table.js';
import { useCompany, useCompanyQuery } from './company.js';
import type { Member } from './members-view.js';
import { loadedOf } from './parts.js';
import { nameOf } from './texts.js';

const REASONS: Partial<Record<string, string>> = access.reasons;

/** The rights of a member in the company, with their sources. */
export function ExplainDialog({ member, onClose }: { member: Member; onClose: () => void }): VNode {
  const { company } = useCompany();
  const query = useCompanyQuery(member.id, (signal) =>
    client.request('GET', '/internal/companies/{companyId}/users/{userId}/access', {
      path: { companyId: company.id, userId: member.id },
      signal,
    }),
  );
  return (
    <Dialog title={messages.explainTitle(nameOf(member))} onClose={onClose}>
      <LoadState loaded={loadedOf(query)} />
      {query.data && (
        <Table
          label={messages.modules}
          items={query.data.explanation ?? []}
          keyOf={({ moduleKey }) => moduleKey}
          columns={[
            { title: access.columns.module, cell: ({ moduleKey }) => moduleKey },
            {
              title: access.columns.effective,
              cell: ({ isEffective }) => (isEffective ? access.may : access.mayNot),
            },
            {
              title: access.columns.reason,
              cell: ({ reason, source }) =>
                source === 'ROLE' ? messages.byRole : (REASONS[reason] ?? reason),
            },
          ]}
        />
      )}
      <Actions>
        <Button onPress={onClose} isFirst>
          {messages.close}
        </Button>
      </Actions>
    </Dialog>
  );
}
