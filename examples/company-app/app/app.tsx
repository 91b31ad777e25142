import type { ReactElement } from 'react';
import { CompanyMembers, CompanySwitcher, Protected, SignIn, UserButton } from '@latchkey/client/components';
import { useCompanies, useUser } from '@latchkey/client/react';
import { COMPANIES } from '../../web-app/company-list.js';
import { Invoices } from './invoices.js';

const nameOf = (companyId: string): string => COMPANIES.find(({ id }) => id === companyId)?.name ?? companyId;

/** The page of the service on which a company is managed, with the way back to this one. */
const manageUrl = (companyId: string): string =>
  `/company/${companyId}?returnTo=${encodeURIComponent(window.location.pathname)}`;

/** Shows the sign-in to users without a session, and the work in a company to all others. */
export const App = (): ReactElement => (
  <Protected
    signedOut={
      <main>
        <h1>Invoices</h1>
        <SignIn resetUrl="/forgot-password" setUpUrl="/login" />
      </main>
    }
  >
    <Workplace />
  </Protected>
);

function Workplace(): ReactElement {
  const { user } = useUser();
  const { company } = useCompanies();
  return (
    <>
      <header>
        <CompanySwitcher nameOf={nameOf} />
        <UserButton accountUrl="/account" />
      </header>
      <main>
        <h1>{company ? nameOf(company.companyId) : 'No company'}</h1>
        <p>
          Hello {user?.name ?? user?.email}
          {company && `, your role here is ${company.role}`}.
        </p>
        {company && (
          <Protected module="invoices" denied={<p>You have no access to invoices here.</p>}>
            <Invoices key={company.companyId} companyId={company.companyId} />
          </Protected>
        )}
        <CompanyMembers manageUrl={manageUrl} />
      </main>
    </>
  );
}
