import type { JSX } from 'preact';
import type { Schemas } from '@latchkey/client';
import { nameMessages as names } from '../../../messages/en/console/names.js';
import {
  companyMessages as company,
  accessMessages as messages,
} from '../../../messages/en/console/operations.js';
import { client } from '../../client.js';
import { useCompanyName } from '../company-names.js';
import { companyRoleText, nameOf, numberText, shortId } from '../format.js';
import { Icon } from '../parts/icons.js';
import { Panel, View } from '../parts/layout.js';
import { Link } from '../parts/link.js';
import { Pill } from '../parts/pill.js';
import { Empty, Loaded } from '../parts/states.js';
import { hrefOf } from '../router.js';
import { keyOf, useQuery } from '../use-query.js';

/** What a member may use in a company, and why. */
export function AccessView({ companyId, userId }: { companyId: string; userId: string }): JSX.Element {
  const user = useQuery(userId, (signal) =>
    client.request('GET', '/internal/users/{id}', { path: { id: userId }, signal }),
  );
  const access = useQuery(keyOf(companyId, userId), (signal) =>
    client.request('GET', '/internal/users/{id}/access', {
      path: { id: userId },
      header: { 'x-org': companyId },
      query: { explain: true },
      signal,
    }),
  );
  const name = useCompanyName(companyId);
  const who = user.data ? nameOf(user.data) : shortId(userId);
  return (
    <>
      <p class="crumb">
        <Link href={hrefOf(`companies/${companyId}`)}>
          <Icon name="back" /> {name ?? company.unnamed(shortId(companyId))}
        </Link>
      </p>
      <View
        title={messages.title}
        lead={messages.lead(who)}
        actions={
          <Link href={hrefOf(`users/${userId}`)} class="button secondary">
            {messages.openUser}
          </Link>
        }
      >
        {access.failure?.code === 'service_unavailable' ? (
          <Empty title={messages.unavailable} hint={messages.unavailableHint} icon="alert" />
        ) : (
          <Loaded query={access}>{(data) => <Picture access={data} />}</Loaded>
        )}
      </View>
    </>
  );
}

function Picture({ access }: { access: Schemas['ExplainedAccess'] }): JSX.Element {
  const { metadata, modules, permissions } = access;
  return (
    <>
      <ol class="flow" aria-label={messages.flow}>
        <Step
          name={messages.entitled}
          value={messages.entitledText(numberText(metadata.entitledModules.length))}
        />
        <Step
          name={messages.role}
          value={metadata.role === null ? messages.noRole : companyRoleText(metadata.role)}
        />
        <Step name={messages.mode} value={names.mode[metadata.accessPolicyMode]} />
        <Step name={messages.effective} value={messages.entitledText(numberText(modules.length))} isResult />
      </ol>
      <Modules access={access} />
      <div class="health-columns">
        <Panel title={messages.permissions}>
          {permissions.length === 0 ? (
            <p class="quiet box-text">{messages.noPermissions}</p>
          ) : (
            <Tags texts={permissions} />
          )}
        </Panel>
        {metadata.businessUnitIds.length > 0 && (
          <Panel title={messages.units}>
            <Tags texts={metadata.businessUnitIds.map(shortId)} />
          </Panel>
        )}
      </div>
    </>
  );
}

const Step = ({
  name,
  value,
  isResult,
}: {
  name: string;
  value: string;
  isResult?: boolean;
}): JSX.Element => (
  <li class={isResult ? 'result' : undefined}>
    <span class="figure-name">{name}</span>
    <span class="flow-value">{value}</span>
  </li>
);

const Tags = ({ texts }: { texts: readonly string[] }): JSX.Element => (
  <ul class="tags">
    {texts.map((text) => (
      <li key={text} class="code">
        {text}
      </li>
    ))}
  </ul>
);

/** Each module on its way from the plan to the member: where it ends, and why. */
function Modules({ access: { explanation = [] } }: { access: Schemas['ExplainedAccess'] }): JSX.Element {
  const sorted = explanation.toSorted((one, other) => Number(other.isEffective) - Number(one.isEffective));
  return (
    <div class="records modules">
      <div class="record-head" aria-hidden="true">
        <span>{messages.columns.module}</span>
        <span>{messages.columns.effective}</span>
        <span>{messages.columns.reason}</span>
      </div>
      <ul aria-label={messages.effective}>
        {sorted.map(({ moduleKey, isEffective, reason, enforcedReason }) => (
          <li key={moduleKey} class="record">
            <div class="cell code">{moduleKey}</div>
            <div class="cell">
              <Pill
                tone={isEffective ? 'good' : 'calm'}
                text={isEffective ? messages.may : messages.mayNot}
              />
            </div>
            <div class="cell">
              {messages.reasons[reason]}
              {enforcedReason !== undefined && enforcedReason !== reason && (
                <span class="quiet"> ({messages.enforced(messages.reasons[enforcedReason])})</span>
              )}
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
