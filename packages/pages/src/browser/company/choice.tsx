import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { companyMessages as messages } from '../../messages/en/company.js';
import { linkTo } from '../keep-language.js';
import { pageData } from '../page-data.js';
import { mayOpenConsole, type Me } from '../session.js';
import { LinkButton } from '../ui/link-button.js';
import { List, Row, Section } from '../ui/section.js';
import { authorityOf } from './company.js';
import { companyHref, viewsOf } from './place.js';
import { roleText } from './texts.js';
import { useCompanyName } from './use-company-name.js';

/** The companies that the user administers or may invite to; the only one is opened at once. */
export function CompanyChoice({ me }: { me: Me }): VNode {
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
