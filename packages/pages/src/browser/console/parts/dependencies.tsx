import type { JSX } from 'preact';
import { dependencyMessages as messages } from '../../../messages/en/console/health.js';
import { numberText } from '../format.js';
import type { HealthReport } from '../types.js';
import { Pill } from './pill.js';

const TONES = { ok: 'good', failed: 'bad', not_configured: 'calm' } as const;

/** What the service depends on, and whether it works. */
export const Dependencies = ({ report }: { report: HealthReport }): JSX.Element => (
  <ul class="lines">
    {report.dependencies.map(({ name, status, fault, latencyMs }) => (
      <li key={name}>
        <span class="line-text">
          <span>{messages.names[name]}</span>
          {fault !== null && <span class="quiet">{messages.faults[fault]}</span>}
        </span>
        {latencyMs !== null && (
          <span class="quiet">{messages.latency(numberText(Math.round(latencyMs * 10) / 10))}</span>
        )}
        <Pill tone={TONES[status]} text={messages.status[status]} />
      </li>
    ))}
    <li>
      <span class="line-text">{messages.mail}</span>
      <MailState mail={report.mail} />
    </li>
  </ul>
);

function MailState({ mail }: Pick<HealthReport, 'mail'>): JSX.Element {
  if (mail === null) return <Pill tone="bad" text={messages.unknown} />;
  if (mail.failed > 0) return <Pill tone="warn" text={messages.failedMails(numberText(mail.failed))} />;
  return <Pill tone="good" text={messages.waitingMails(numberText(mail.waiting + mail.retrying))} />;
}
