import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { nameMessages as names } from '../../../messages/en/console/names.js';
import { companyMessages as messages } from '../../../messages/en/console/operations.js';
import { webhookMessages as webhooks } from '../../../messages/en/console/webhooks.js';
import { appData } from '../../app-data.js';
import { client } from '../../client.js';
import { keepCompanyNames } from '../company-names.js';
import { companyRoleText, dateText, numberText, shortId } from '../format.js';
import { changeMemberRole, invite, KNOWN_ROLES, removeMember } from '../member-actions.js';
import { CopyId } from '../parts/copy-id.js';
import { Email } from '../parts/email.js';
import { ChoiceFilter, Filters, TextFilter } from '../parts/filters.js';
import { Icon } from '../parts/icons.js';
import { Pager, usePageNumber, View } from '../parts/layout.js';
import { Link } from '../parts/link.js';
import { Avatar, Pill } from '../parts/pill.js';
import { Records, type Column } from '../parts/records.js';
import { Empty, Loaded } from '../parts/states.js';
import { UUID } from '../patterns.js';
import { hrefOf, usePlace } from '../router.js';
import { useRights } from '../session-context.js';
import type { Company, CompanyUser } from '../types.js';
import { defined, keyOf, useQuery } from '../use-query.js';
import { CompanyApiKeys } from './company-api-keys.js';

const PAGE_SIZE = 25;
const MOST_MODULES = 3;

/** One company and its active members. */
export function CompanyView({ companyId }: { companyId: string }): JSX.Element {
  const isId = UUID.test(companyId);
  const found = useQuery(isId ? companyId : undefined, (signal) =>
    client.request('GET', '/internal/companies', { query: { ids: companyId }, signal }),
  );
  useEffect(() => keepCompanyNames(found.data ?? []), [found.data]);
  return (
    <>
      <p class="crumb">
        <Link href={hrefOf('companies')}>
          <Icon name="back" /> {messages.title}
        </Link>
      </p>
      {isId ? (
        <Loaded query={found} rows={8}>
          {([company]) => (company ? <CompanyContent company={company} /> : <Unknown />)}
        </Loaded>
      ) : (
        <Unknown />
      )}
    </>
  );
}

const Unknown = (): JSX.Element => (
  <View title={messages.title}>
    <Empty title={messages.unknown} hint={messages.unknownHint} icon="companies" />
  </View>
);

function CompanyContent({ company }: { company: Company }): JSX.Element {
  const { id, name } = company;
  const { may } = useRights();
  const { members, roles, isFiltered } = useMembers(id);
  return (
    <View
      title={name ?? messages.unnamed(shortId(id))}
      lead={<CopyId id={id} />}
      actions={may('operate') && <CompanyActions company={company} roles={roles} />}
    >
      <Filters names={['search', 'role']}>
        <TextFilter name="search" label={messages.findMember} type="search" isSearch />
        <ChoiceFilter
          name="role"
          label={messages.columns.role}
          options={Object.fromEntries(roles.map((role) => [role, companyRoleText(role)]))}
        />
      </Filters>
      <Loaded query={members}>
        {(items) =>
          items.length === 0 ? (
            <NoMembers isFiltered={isFiltered} />
          ) : (
            <>
              <p class="quiet list-note">{messages.total(numberText(members.total ?? items.length))}</p>
              <Members items={items} roles={roles} mayEdit={may('operate')} reload={members.reload} />
            </>
          )
        }
      </Loaded>
      <Pager total={members.total} pageSize={PAGE_SIZE} />
      {appData.companyKeys && may('operate') && <CompanyApiKeys companyId={id} />}
    </View>
  );
}

/** Loads the members that the filters of the address find, and the roles that can be chosen. */
function useMembers(companyId: string) {
  const { query } = usePlace();
  const page = usePageNumber();
  const filter = defined({
    search: query.get('search') ?? undefined,
    role: query.get('role') ?? undefined,
    limit: PAGE_SIZE,
    offset: (page - 1) * PAGE_SIZE,
  });
  const members = useQuery(keyOf(companyId, filter), (signal) =>
    client.request('GET', '/internal/companies/{companyId}/users', {
      path: { companyId },
      query: filter,
      signal,
    }),
  );
  const listed = (members.data ?? []).map(({ membership }) => membership.role);
  const roles = [...new Set([...KNOWN_ROLES, ...(filter.role ? [filter.role] : []), ...listed])];
  return { members, roles, isFiltered: filter.search !== undefined || filter.role !== undefined };
}

const CompanyActions = ({ company, roles }: { company: Company; roles: readonly string[] }): JSX.Element => (
  <>
    <Link href={hrefOf('invitations', { company: company.id })} class="button secondary">
      {messages.invitations}
    </Link>
    {appData.companyWebhooks && (
      <Link href={hrefOf('webhooks', { company: company.id })} class="button secondary">
        {webhooks.title}
      </Link>
    )}
    <button type="button" class="button primary" onClick={() => void invite(company, roles)}>
      {messages.invite}
    </button>
  </>
);

const NoMembers = ({ isFiltered }: { isFiltered: boolean }): JSX.Element =>
  isFiltered ? (
    <Empty title={messages.noMember} hint={messages.noMemberHint} />
  ) : (
    <Empty title={messages.empty} hint={messages.emptyHint} icon="companies" />
  );

interface MembersProps {
  items: readonly CompanyUser[];
  roles: readonly string[];
  mayEdit: boolean;
  reload: () => void;
}

/** The members, without columns that are empty for all of them. */
function Members({ items, roles, mayEdit, reload }: MembersProps): JSX.Element {
  const hasModules = items.some(({ membership }) => membership.moduleGrants.length > 0);
  const hasFinance = items.some(({ membership }) => membership.financeRole !== null);
  const buttons: Column<CompanyUser> = {
    heading: '',
    cell: (user) => mayEdit && <MemberButtons user={user} roles={roles} reload={reload} />,
  };
  return (
    <Records
      label={messages.members}
      kind={`members ${hasModules ? 'has-modules' : ''} ${hasFinance ? 'has-finance' : ''}`}
      items={items}
      columns={[
        USER,
        ROLE,
        ...(hasModules ? [MODULES] : []),
        ...(hasFinance ? [FINANCE] : []),
        SINCE,
        buttons,
      ]}
    />
  );
}

function MemberButtons({
  user,
  roles,
  reload,
}: Omit<MembersProps, 'items' | 'mayEdit'> & { user: CompanyUser }) {
  const { fullName, email } = user;
  const run = (action: Promise<boolean>): void =>
    void action.then((isDone) => {
      if (isDone) reload();
    });
  return (
    <span class="row-buttons">
      <button
        type="button"
        class="button secondary small"
        aria-label={messages.changeRoleLabel(fullName ?? email)}
        onClick={() => run(changeMemberRole(user, roles))}
      >
        {messages.changeRole}
      </button>
      <button
        type="button"
        class="button secondary small"
        aria-label={messages.removeLabel(fullName ?? email)}
        onClick={() => run(removeMember(user))}
      >
        {messages.remove}
      </button>
    </span>
  );
}

const USER: Column<CompanyUser> = {
  heading: messages.columns.user,
  cell: (user) => (
    <span class="who">
      <Avatar user={user} />
      <span class="who-text">
        <Link href={hrefOf(`companies/${user.membership.companyId}/${user.id}`)} isMain class="who-name">
          {user.fullName ?? <Email text={user.email} />}
        </Link>
        {user.fullName !== null && (
          <span class="quiet">
            <Email text={user.email} />
          </span>
        )}
      </span>
    </span>
  ),
};

const ROLE: Column<CompanyUser> = {
  heading: messages.columns.role,
  cell: ({ membership }) => <Pill tone="accent" text={companyRoleText(membership.role)} />,
};

const MODULES: Column<CompanyUser> = {
  heading: messages.columns.modules,
  cell: ({ membership: { moduleGrants } }) =>
    moduleGrants.length === 0 ? (
      <span class="quiet">–</span>
    ) : (
      <span>
        {moduleGrants.slice(0, MOST_MODULES).join(', ')}
        {moduleGrants.length > MOST_MODULES && ` +${numberText(moduleGrants.length - MOST_MODULES)}`}
      </span>
    ),
};

const FINANCE: Column<CompanyUser> = {
  heading: messages.columns.finance,
  cell: ({ membership: { financeRole } }) =>
    financeRole === null ? <span class="quiet">–</span> : names.finance[financeRole],
  isMinor: true,
};

const SINCE: Column<CompanyUser> = {
  heading: messages.columns.since,
  cell: ({ membership: { createdAt } }) => dateText(createdAt),
  isMinor: true,
};
