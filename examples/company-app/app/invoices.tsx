import { useState, type ReactElement } from 'react';
import { Protected } from '@latchkey/client/components';
import { useSession } from '@latchkey/client/react';
import { useLoaded } from '../../web-app/app/use-loaded.js';

interface Invoice {
  id: string;
  customer: string;
  isApproved: boolean;
}

/** The invoices of a company, from the API of the app. What is hidden here is refused there. */
export function Invoices({ companyId }: { companyId: string }): ReactElement {
  const { client } = useSession();
  const [message, setMessage] = useState('');
  const call = (path: string, init: RequestInit = {}): Promise<Response> =>
    client.fetch(`/api/invoices${path}`, { ...init, headers: { 'x-org': companyId } });
  const [invoices, reload] = useLoaded(async () => {
    const response = await call('');
    return response.ok ? ((await response.json()) as Invoice[]) : undefined;
  });

  async function approve(id: string): Promise<void> {
    const { ok } = await call(`/${id}/approve`, { method: 'POST' });
    setMessage(ok ? '' : 'The invoice was not approved.');
    reload();
  }

  return (
    <section aria-labelledby="invoices">
      <h2 id="invoices">Invoices</h2>
      <p role="alert">{message}</p>
      <ul aria-label="Invoices">
        {invoices?.map(({ id, customer, isApproved }) => (
          <li key={id}>
            {customer} {isApproved && '(approved)'}
            {!isApproved && (
              <Protected permission="invoices:approve" denied={null}>
                <button type="button" onClick={() => void approve(id)}>
                  Approve {customer}
                </button>
              </Protected>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
