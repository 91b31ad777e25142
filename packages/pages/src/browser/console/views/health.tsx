import type { JSX } from 'preact';
import { healthFactMessages as facts } from '../../../messages/en/console/health.js';
import { healthMessages as messages } from '../../../messages/en/console/operations.js';
import { shellMessages as shell } from '../../../messages/en/console/shell.js';
import { client } from '../../client.js';
import { agoText, momentText, numberText, spanText } from '../format.js';
import { Dependencies } from '../parts/dependencies.js';
import { Icon } from '../parts/icons.js';
import { Facts, Panel, View } from '../parts/layout.js';
import { Loaded } from '../parts/states.js';
import type { HealthReport } from '../types.js';
import { useQuery } from '../use-query.js';

/** The state of the replica that answers. */
export function HealthView(): JSX.Element {
  const report = useQuery('health', (signal) => client.request('GET', '/internal/health', { signal }));
  return (
    <View
      title={messages.title}
      lead={messages.lead}
      actions={
        <button type="button" class="button secondary" onClick={report.reload}>
          <Icon name="refresh" /> {shell.refresh}
        </button>
      }
    >
      <Loaded query={report}>{(data) => <Report report={data} />}</Loaded>
    </View>
  );
}

const yesOrNo = (value: boolean): string => (value ? shell.yes : shell.no);

const isGood = ({ status, dependencies, mail }: HealthReport): boolean =>
  status === 'ready' && dependencies.every((each) => each.status !== 'failed') && (mail?.failed ?? 1) === 0;

function Report({ report }: { report: HealthReport }): JSX.Element {
  const { hashing, databasePool: pool, revocationFeed: feed, mail } = report;
  const good = isGood(report);
  return (
    <>
      <p class={`banner ${good ? 'good' : 'bad'}`} role="status">
        <Icon name={good ? 'check' : 'alert'} /> {good ? messages.good : messages.bad}
      </p>
      <div class="health-columns">
        <Panel title={facts.dependencies}>
          <Dependencies report={report} />
        </Panel>
        <Panel title={facts.load}>
          <Facts
            facts={[
              [facts.pool, facts.ofMost(numberText(pool.inUse), numberText(pool.max))],
              [facts.poolWaiting, numberText(pool.waiting)],
              [facts.hashing, facts.ofMost(numberText(hashing.active), numberText(hashing.threads))],
              [facts.hashingQueue, numberText(hashing.queued)],
              [facts.listeners, numberText(feed.listeners)],
              [facts.oldestMail, mail === null ? shell.unknown : spanText(mail.oldestPendingSeconds)],
            ]}
          />
        </Panel>
        <Process report={report} />
        <SettingsPanel report={report} />
      </div>
    </>
  );
}

const Process = ({
  report: { version, nodeVersion, startedAt, uptimeSeconds },
}: {
  report: HealthReport;
}): JSX.Element => (
  <Panel title={facts.process}>
    <Facts
      facts={[
        [facts.version, version],
        ['Node.js', nodeVersion],
        [facts.started, `${momentText(startedAt)} (${agoText(startedAt)})`],
        [facts.uptime, spanText(uptimeSeconds)],
      ]}
    />
  </Panel>
);

const SettingsPanel = ({ report: { facts: set } }: { report: HealthReport }): JSX.Element => (
  <Panel title={facts.settings}>
    <Facts
      facts={[
        [facts.environment, facts.environments[set.environment]],
        [facts.signingKey, <span class="code">{set.signingKeyId}</span>],
        [facts.store, facts.stores[set.store]],
        [facts.mailTransport, facts.transports[set.mailTransport]],
        [facts.entitlements, facts.entitlementSources[set.entitlements]],
        [facts.secondFactor, facts.secondFactors[set.secondFactor]],
        [facts.passkeys, yesOrNo(set.passkeys)],
        [facts.registration, yesOrNo(set.registration)],
        [facts.passwordEngine, set.passwordEngine],
      ]}
    />
  </Panel>
);
