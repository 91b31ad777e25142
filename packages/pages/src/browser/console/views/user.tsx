import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Schemas } from '@latchkey/client';
import { nameMessages as names } from '../../../messages/en/console/names.js';
import { userMessages as messages } from '../../../messages/en/console/users.js';
import { appData } from '../../app-data.js';
import { client } from '../../client.js';
import { approve, reject } from '../decisions.js';
import { companyRoleText, dateText, nameOf, numberText } from '../format.js';
import { useKeys } from '../keys.js';
import { CompanyName } from '../parts/company-name.js';
import { CopyId } from '../parts/copy-id.js';
import { Icon } from '../parts/icons.js';
import { Facts, Panel } from '../parts/layout.js';
import { Link } from '../parts/link.js';
import { Avatar, Pill, RolePill, StatusPill } from '../parts/pill.js';
import { Loaded } from '../parts/states.js';
import { Ago } from '../parts/time.js';
import { hrefOf } from '../router.js';
import { useRights } from '../session-context.js';
import type { User } from '../types.js';
import { keyOf, useQuery } from '../use-query.js';
import { languageOf } from '../user-actions.js';
import { Timeline } from './timeline.js';
import { UserActions } from './user-action-list.js';
import { UserApiKeys } from './user-api-keys.js';
import { UserFactorsPanel } from './user-factors.js';
import { UserSessions } from './user-sessions.js';
import { UserTrustedDevices } from './user-trusted-devices.js';

/** One user: who it is, where they are signed in, what happened, and what can be done. */
export function UserView({ id }: { id: string }): JSX.Element {
  const [revision, setRevision] = useState(0);
  const context = useQuery(keyOf(id, revision), (signal) =>
    client.request('GET', '/internal/users/{id}/context', { path: { id }, signal }),
  );
  return (
    <>
      <p class="crumb">
        <Link href={hrefOf('users')}>
          <Icon name="back" /> {messages.back}
        </Link>
      </p>
      <Loaded query={context} rows={8}>
        {(data) => (
          <UserContent context={data} revision={revision} changed={() => setRevision(revision + 1)} />
        )}
      </Loaded>
    </>
  );
}

function UserContent({
  context,
  revision,
  changed,
}: {
  context: Schemas['UserContext'];
  /** Changes with each action, so that every part is loaded again. */
  revision: number;
  changed: () => void;
}): JSX.Element {
  const { may, mayOn } = useRights();
  const { user } = context;
  const isWaiting = user.approvalStatus === 'PENDING' && mayOn('approve', user);
  const decide = async (decision: typeof approve): Promise<void> => {
    if (isWaiting && (await decision(user))) changed();
  };
  useKeys({ a: () => void decide(approve), r: () => void decide(reject) });
  return (
    <>
      <UserHead user={user} />
      {user.deleteAt !== undefined && (
        <p class="notice info">{messages.deletionText(dateText(user.deleteAt))}</p>
      )}
      {user.erasedAt !== undefined && (
        <p class="notice info">{messages.erasedText(dateText(user.erasedAt))}</p>
      )}
      <div class="user-columns">
        <div class="stack">
          <Profile user={user} />
          <UserActions user={user} changed={changed} />
          <Companies context={context} />
        </div>
        <div class="stack">
          <UserSessions user={user} revision={revision} changed={changed} />
          <UserFactorsPanel user={user} revision={revision} changed={changed} />
          {appData.trustedDevices && <UserTrustedDevices user={user} revision={revision} changed={changed} />}
          {appData.personalKeys && <UserApiKeys user={user} revision={revision} changed={changed} />}
          {may('operate') && <Timeline userId={user.id} revision={revision} />}
        </div>
      </div>
    </>
  );
}

const UserHead = ({ user }: { user: User }): JSX.Element => (
  <header class="user-head">
    <Avatar user={user} size="large" />
    <div>
      <h1 tabIndex={-1}>{nameOf(user)}</h1>
      <p class="user-marks">
        {user.fullName !== null && <span class="quiet">{user.email}</span>}
        <StatusPill user={user} />
        <RolePill role={user.globalRole} />
      </p>
    </div>
  </header>
);

/** The time at which the email was confirmed; that of an account made by staff counts as confirmed from the start. */
function Verified({ user: { emailVerifiedAt, createdAt } }: { user: User }): JSX.Element {
  if (emailVerifiedAt === undefined) return <Pill tone="warn" text={messages.notVerified} />;
  const at = dateText(emailVerifiedAt);
  return <>{emailVerifiedAt === createdAt ? messages.verifiedOnCreation(at) : at}</>;
}

function Profile({ user }: { user: User }): JSX.Element {
  const phone = [user.phonePrefix, user.phoneNumber].filter(Boolean).join(' ');
  return (
    <Panel title={messages.profile}>
      <Facts
        facts={[
          [messages.email, user.email],
          [messages.verified, <Verified user={user} />],
          ...(phone === '' ? [] : [[messages.phone, phone] as const]),
          [messages.signInWith, names.provider[user.authProvider]],
          [messages.language, languageOf(user)],
          [messages.lastSignIn, <Ago at={user.lastLoginAt} />],
          [messages.created, dateText(user.createdAt)],
          [messages.id, <CopyId id={user.id} />],
        ]}
      />
    </Panel>
  );
}

function Companies({ context }: { context: Schemas['UserContext'] }): JSX.Element {
  const { companyMemberships, businessUnitMemberships, user } = context;
  return (
    <Panel title={messages.companies}>
      {companyMemberships.length === 0 ? (
        <p class="quiet box-text">{messages.noCompanies}</p>
      ) : (
        <ul class="lines">
          {companyMemberships.map(({ companyId, role, isActive }) => {
            const units = businessUnitMemberships.filter((unit) => unit.companyId === companyId).length;
            return (
              <li key={companyId}>
                <span class="line-text">
                  <Link href={hrefOf(`companies/${companyId}/${user.id}`)}>
                    <CompanyName id={companyId} />
                  </Link>
                  {units > 0 && <span class="quiet">{messages.units(numberText(units))}</span>}
                </span>
                {!isActive && <Pill tone="calm" text={names.activity.inactive} />}
                <Pill tone="accent" text={companyRoleText(role)} />
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}
