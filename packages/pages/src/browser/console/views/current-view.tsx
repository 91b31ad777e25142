import type { JSX } from 'preact';
import { shellMessages as shell } from '../../../messages/en/console/shell.js';
import { appData } from '../../app-data.js';
import { DESTINATIONS, type ConsolePath } from '../navigation.js';
import { View } from '../parts/layout.js';
import { Link } from '../parts/link.js';
import { Empty } from '../parts/states.js';
import { hrefOf, usePlace } from '../router.js';
import { useRights } from '../session-context.js';
import { AccessView } from './access.js';
import { ApprovalsView } from './approvals.js';
import { AuditView } from './audit.js';
import { CompaniesView } from './companies.js';
import { CompanyView } from './company.js';
import { HealthView } from './health.js';
import { InvitationsView } from './invitations.js';
import { MailView } from './mail.js';
import { OverviewView } from './overview.js';
import { SessionsView } from './sessions.js';
import { UserView } from './user.js';
import { UsersView } from './users.js';
import { WebhookView } from './webhook.js';
import { WebhooksView } from './webhooks.js';

/** Returns the view of a place, by the parts of its path. */
const VIEWS: Readonly<Record<ConsolePath, (one: string, two: string) => JSX.Element | undefined>> = {
  '': () => <OverviewView />,
  approvals: (one) => (one === '' ? <ApprovalsView /> : undefined),
  users: (one, two) =>
    one === '' ? <UsersView /> : two === '' ? <UserView key={one} id={one} /> : undefined,
  sessions: (one) => (one === '' ? <SessionsView /> : undefined),
  invitations: (one) => (one === '' ? <InvitationsView /> : undefined),
  companies: (one, two) => companyView(one, two),
  audit: (one) => (one === '' ? <AuditView /> : undefined),
  mail: (one) => (one === '' ? <MailView /> : undefined),
  webhooks: (one, two) => webhookView(one, two),
  health: (one) => (one === '' ? <HealthView /> : undefined),
};

function companyView(companyId: string, userId: string): JSX.Element {
  if (companyId === '') return <CompaniesView />;
  if (userId === '') return <CompanyView key={companyId} companyId={companyId} />;
  return <AccessView key={companyId + userId} companyId={companyId} userId={userId} />;
}

function webhookView(id: string, rest: string): JSX.Element | undefined {
  if (!appData.webhooks || rest !== '') return undefined;
  return id === '' ? <WebhooksView /> : <WebhookView key={id} id={id} />;
}

/** The view of the address, if the role includes it. */
export function CurrentView(): JSX.Element {
  const { path } = usePlace();
  const { may } = useRights();
  const [section = '', one = '', two = ''] = path.split('/').map(decoded);
  const destination = DESTINATIONS.find((each) => each.path === section);
  if (destination && !may(destination.needs))
    return <Closed title={shell.noRight} hint={shell.noRightHint} />;
  const view = isConsolePath(section) ? VIEWS[section](one, two) : undefined;
  return view ?? <Closed title={shell.notFound} hint={shell.notFoundHint} />;
}

const isConsolePath = (path: string): path is ConsolePath => Object.hasOwn(VIEWS, path);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const Closed = ({ title, hint }: { title: string; hint: string }): JSX.Element => (
  <View title={title}>
    <Empty title={title} hint={hint} icon="alert">
      <Link href={hrefOf('')} class="button secondary">
        {shell.toOverview}
      </Link>
    </Empty>
  </View>
);
