import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { companyMessages as messages } from '../../messages/en/company.js';
import { SessionEnded } from '../account/session-ended.js';
import { goToSignIn } from '../account/sign-in-link.js';
import { isActingTab } from '../acting-tab.js';
import { client } from '../client.js';
import { linkTo } from '../keep-language.js';
import { pageData } from '../page-data.js';
import { mayOpenConsole, type Me } from '../session.js';
import { ActingBanner, ActingEnded } from '../ui/acting.js';
import { Button } from '../ui/button.js';
import { LinkButton } from '../ui/link-button.js';
import { LoadState } from '../ui/load-state.js';
import { List, Row, Section } from '../ui/section.js';
import { useSessionEnd } from '../ui/session-end.js';
import { StepUpProvider } from '../ui/step-up.js';
import { ToastProvider } from '../ui/toast.js';
import { useLoaded } from '../ui/use-loaded.js';
import { WholePage } from '../ui/whole-page.js';
import { authorityOf, CompanyContext, readCompany, type Found } from './company.js';
import { CompanyFrame } from './frame.js';
import { companyHref, companyIdOfAddress, viewsOf } from './place.js';
import { companyFailureText, roleText } from './texts.js';
import { useCompanyName } from './use-company-name.js';

/** The page: one's companies, or one company, once it is known what the user may do there. */
export function CompanyPage(): VNode {
  const loaded = useLoaded(() => client.me());
  const end = useSessionEnd();
  useCheckOnReturn(loaded.reload);
  // A browser that only looked signed in is led to the sign-in; a user whose session has ended gets a notice first.
  const wasNeverIn = end !== undefined && !loaded.data;
  useEffect(() => {
    if (wasNeverIn && !isActingTab) goToSignIn();
  }, [wasNeverIn]);
  const { data: me, reload } = loaded;
  const companyId = companyIdOfAddress();
  if (end !== undefined && isActingTab) return <ActingEnded />;
  if (end !== undefined && me) return <SessionEnded reason={end} />;
  if (!me) {
    return (
      <main>
        <h1 tabIndex={-1}>{messages.title}</h1>
        <LoadState loaded={loaded} />
      </main>
    );
  }
  if (companyId === undefined) {
    return (
      <>
        <ActingBanner me={me} />
        <CompanyChoice me={me} />
      </>
    );
  }
  return (
    <ToastProvider>
      <StepUpProvider email={me.email}>
        <ActingBanner me={me} />
        <OneCompany me={me} companyId={companyId} reload={reload} />
      </StepUpProvider>
    </ToastProvider>
  );
}

/** Reads the user again when the page is looked at again: session or role may have ended meanwhile. */
function useCheckOnReturn(reload: () => Promise<void>): void {
  useEffect(() => {
    const check = (): void => {
      if (document.visibilityState === 'visible') void reload();
    };
    document.addEventListener('visibilitychange', check);
    return () => document.removeEventListener('visibilitychange', check);
  }, []);
}

function OneCompany({
  me,
  companyId,
  reload,
}: {
  me: Me;
  companyId: string;
  reload: () => Promise<void>;
}): VNode {
  const [found, setFound] = useState<Found>();
  useEffect(() => {
    let isCurrent = true;
    void readCompany(me, companyId).then((read) => {
      if (isCurrent) setFound(read);
    });
    return () => void (isCurrent = false);
  }, [me]);
  if (!found) return <WholePage title={messages.title} text={messages.loading} />;
  if ('failure' in found) {
    const { failure } = found;
    if (['forbidden', 'not_found', 'validation_error'].includes(failure.code)) return <Outside />;
    return (
      <WholePage title={messages.notLoaded} text={companyFailureText(failure)}>
        <Button onPress={reload}>{messages.tryAgain}</Button>
      </WholePage>
    );
  }
  if (viewsOf(found.authority).length === 0) return <Outside />;
  return (
    <CompanyContext.Provider value={{ me, ...found, recheck: () => void reload() }}>
      <CompanyFrame />
    </CompanyContext.Provider>
  );
}

/** A company that the user does not administer, or that is none. */
const Outside = (): VNode => (
  <WholePage title={messages.outside} text={messages.outsideText}>
    <LinkButton href={`${pageData.base}/${linkTo('account')}`}>{messages.toAccount}</LinkButton>
  </WholePage>
);

/** The companies that the user administers or may invite to; the only one is opened at once. */
function CompanyChoice({ me }: { me: Me }): VNode {
  const ids = me.companyMemberships
    .filter(({ isActive }) => isActive)
    .map(({ companyId }) => companyId)
    .filter((companyId) => viewsOf(authorityOf(me, companyId)).length > 0);
  const [only, ...others] = ids;
  const isOnly = only !== undefined && others.length === 0;
  useEffect(() => {
    if (isOnly) location.replace(companyHref(only));
  }, [isOnly]);
  return (
    <main>
      <h1 tabIndex={-1}>{messages.title}</h1>
      <Section
        title={messages.choice}
        lead={ids.length === 0 ? messages.noCompany : messages.choiceLead}
        actions={
          <>
            <LinkButton href={`${pageData.base}/${linkTo('account')}`}>{messages.toAccount}</LinkButton>
            {mayOpenConsole(me) && (
              <LinkButton href={`${pageData.base}/console/companies`}>{messages.toConsole}</LinkButton>
            )}
          </>
        }
      >
        {ids.length > 0 && (
          <List label={messages.choice}>
            {ids.map((companyId) => (
              <Choice key={companyId} me={me} companyId={companyId} />
            ))}
          </List>
        )}
      </Section>
    </main>
  );
}

function Choice({ me, companyId }: { me: Me; companyId: string }): VNode {
  const name = useCompanyName(companyId);
  const role = authorityOf(me, companyId).role ?? '';
  return (
    <Row
      title={name}
      details={[roleText(role)]}
      actions={<LinkButton href={companyHref(companyId)}>{messages.open}</LinkButton>}
    />
  );
}
