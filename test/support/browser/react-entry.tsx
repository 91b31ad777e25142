import { useState, type ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import { createClient } from '@latchkey/client';
import { CompanyMembers, CompanySwitcher, Protected, SignIn, UserButton } from '@latchkey/client/components';
import { LatchkeyProvider, useCompany, useUser } from '@latchkey/client/react';

/** An app of the ready-made components, in the language of the document, whose hash names a permission to require. */
function Page(): ReactElement {
  const [signIns, setSignIns] = useState(0);
  const permission = location.hash.slice(1) || undefined;
  const signIn = (
    <SignIn
      onSignedIn={() => setSignIns(signIns + 1)}
      resetUrl="/forgot-password"
      registerUrl="/register"
      setUpUrl="/login"
      mail
      callbackUrl={document.documentElement.dataset.callbackUrl}
    />
  );
  return (
    <>
      <main>
        <h1>App</h1>
        <p>Sign-ins: {signIns}</p>
        <Protected signedOut={signIn} permission={permission}>
          <Profile />
          <Profile />
          {location.search === '?members' && (
            <CompanyMembers manageUrl={(id) => `/company/${id}`} roleOf={(role) => `Role ${role}`} />
          )}
        </Protected>
      </main>
      <footer>
        <CompanySwitcher nameOf={(id) => `Company ${id.slice(0, 4)}`} />
        <UserButton accountUrl="/account" />
      </footer>
    </>
  );
}

function Profile(): ReactElement {
  const { user, reload } = useUser();
  const company = useCompany();
  return (
    <p>
      {user?.name} works in {company?.companyId.slice(0, 4)} as {company?.role}.{' '}
      <button onClick={() => void reload()}>Reload</button>
    </p>
  );
}

const root = document.querySelector('#root');
window.client = createClient({ baseUrl: '', tokens: 'localStorage' });
if (root) {
  const language = document.documentElement.lang === 'de' ? 'de' : 'en';
  createRoot(root).render(
    <LatchkeyProvider client={window.client} language={language}>
      <Page />
    </LatchkeyProvider>,
  );
}
