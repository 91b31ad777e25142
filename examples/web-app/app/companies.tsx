import { useState, type ReactElement } from 'react';
import { useAccess, useSession } from '@latchkey/client/react';
import { errorText } from './error-text.js';
import { useLoaded } from './use-loaded.js';

interface Company {
  id: string;
  name: string;
}

/** The companies of the user. Their names come from the app's own back end, which gets the session. */
export function Companies(): ReactElement {
  const { client } = useSession();
  const [chosen, choose] = useState<string>();
  const [companies = []] = useLoaded(async () => {
    const response = await client.fetch('/api/companies');
    return response.ok ? ((await response.json()) as Company[]) : [];
  });
  const company = companies.find(({ id }) => id === chosen) ?? companies[0];

  return (
    <section aria-labelledby="companies">
      <h2 id="companies">Companies</h2>
      <label>
        Company
        <select value={company?.id ?? ''} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          {companies.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {company && <Access company={company} />}
    </section>
  );
}

function Access({ company }: { company: Company }): ReactElement {
  const { status, access, error, reload } = useAccess(company.id);
  if (status === 'loading') return <p>One moment…</p>;
  if (!access) {
    return (
      <p>
        {error && errorText(error)} <button onClick={reload}>Try again</button>
      </p>
    );
  }
  return (
    <ul aria-label={`Access in ${company.name}`}>
      <li>Role: {access.metadata.role}</li>
      <li>Modules: {access.modules.join(', ') || 'none'}</li>
      <li>Permissions: {access.permissions.join(', ') || 'none'}</li>
    </ul>
  );
}
