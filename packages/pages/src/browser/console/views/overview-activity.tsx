import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Schemas } from '@latchkey/client';
import {
  activityMessages as messages,
  overviewMessages as overview,
} from '../../../messages/en/console/operations.js';
import { client } from '../../client.js';
import { Table } from '../../ui/table.js';
import { agoText, dayText, numberText } from '../format.js';
import { DayChart } from '../parts/day-chart.js';
import { Icon } from '../parts/icons.js';
import { Panel } from '../parts/layout.js';
import { Link } from '../parts/link.js';
import { Loaded } from '../parts/states.js';
import { Ago } from '../parts/time.js';
import { hrefOf, setQuery, usePlace } from '../router.js';
import { useQuery, type Query } from '../use-query.js';

type Activity = Schemas['Activity'];

const [FEW_DAYS, MANY_DAYS] = [14, 90] as const;

const useSpan = (): number => (usePlace().query.get('days') === String(MANY_DAYS) ? MANY_DAYS : FEW_DAYS);

/** Loads the numbers of the chosen days. */
export function useActivity(isAllowed: boolean): Query<Activity> {
  const days = useSpan();
  return useQuery(isAllowed ? `activity ${days}` : undefined, (signal) =>
    client.request('GET', '/internal/activity', { query: { days }, signal }),
  );
}

/** Sign-ins, failed ones, registrations and users by day. */
export const ActivityPanel = ({ query }: { query: Query<Activity> }): JSX.Element => (
  <Panel title={messages.title} aside={<Span />} class="activity">
    <Loaded query={query} rows={3}>
      {(activity) => <Charts activity={activity} />}
    </Loaded>
  </Panel>
);

function Span(): JSX.Element {
  const shown = useSpan();
  return (
    <div class="span" role="group" aria-label={messages.span}>
      {[FEW_DAYS, MANY_DAYS].map((days) => (
        <button
          key={days}
          type="button"
          class="button secondary small"
          aria-pressed={days === shown}
          onClick={() => setQuery({ days: days === FEW_DAYS ? undefined : String(days) })}
        >
          {messages.days(numberText(days))}
        </button>
      ))}
    </div>
  );
}

const SUMMED = ['signIns', 'failedSignIns', 'registrations'] as const;

function Charts({ activity: { days, countedAt } }: { activity: Activity }): JSX.Element {
  const span = messages.days(numberText(days.length));
  const countsOf = (name: (typeof SUMMED)[number] | 'signedInUsers') =>
    days.map((each) => ({ day: each.day, count: each[name] }));
  const sumOf = (name: Parameters<typeof countsOf>[0]) => days.reduce((sum, each) => sum + each[name], 0);
  return (
    <>
      <div class="charts">
        {SUMMED.map((name) => (
          <DayChart
            key={name}
            name={messages[name]}
            figure={numberText(sumOf(name))}
            days={countsOf(name)}
            label={(most) => messages.chart(messages[name], span, numberText(sumOf(name)), most)}
            isBad={name === 'failedSignIns'}
          />
        ))}
        <DayChart
          name={messages.signedInUsers}
          figure={messages.perDay(averageText(sumOf('signedInUsers') / days.length))}
          days={countsOf('signedInUsers')}
          label={(most) => messages.chartOfUsers(span, most)}
        />
      </div>
      <NumberTable days={days} />
      <p class="quiet box-text">
        {countedAt === null ? messages.notCounted : messages.counted(agoText(countedAt))}
      </p>
    </>
  );
}

/** The same numbers for those who cannot see the bars, or want to copy them. */
function NumberTable({ days }: Pick<Activity, 'days'>): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="numbers" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{messages.table}</summary>
      {isOpen && (
        <Table
          label={messages.title}
          items={days.toReversed()}
          keyOf={({ day }) => day}
          columns={[
            { title: messages.day, cell: ({ day }) => dayText(day) },
            { title: messages.signIns, cell: ({ signIns }) => numberText(signIns) },
            { title: messages.failedSignIns, cell: ({ failedSignIns }) => numberText(failedSignIns) },
            { title: messages.registrations, cell: ({ registrations }) => numberText(registrations) },
            { title: messages.signedInUsers, cell: ({ signedInUsers }) => numberText(signedInUsers) },
          ]}
        />
      )}
    </details>
  );
}

/** One line about failures that are more than usual. */
export function UnusualFailures({ activity }: { activity: Activity | undefined }): JSX.Element | null {
  const unusual = activity?.unusualFailures;
  if (!unusual) return null;
  return (
    <p class="banner bad" role="status">
      <Icon name="alert" />
      <Link href={hrefOf('audit', { event: 'login', outcome: 'failure' })}>
        {messages.unusual(numberText(unusual.failures), numberText(unusual.usual))}
      </Link>
    </p>
  );
}

/** The IP addresses with the most failed sign-ins. */
export const FailingAddresses = ({ query }: { query: Query<Activity> }): JSX.Element => (
  <Panel title={messages.failing} aside={<span class="quiet">{messages.failingSpan}</span>}>
    <Loaded query={query} rows={2}>
      {({ failingAddresses }) =>
        failingAddresses.length === 0 ? (
          <p class="quiet box-text">{messages.noFailing}</p>
        ) : (
          <ul class="lines">
            {failingAddresses.map(({ ipAddress, failures, lastAt }) => (
              <li key={ipAddress}>
                <span class="line-text">
                  <span>{overview.failuresFrom(numberText(failures), ipAddress)}</span>
                </span>
                <span class="quiet when">
                  <Ago at={lastAt} />
                </span>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  </Panel>
);

/** Returns an average, of a few with one decimal. */
const averageText = (average: number): string =>
  numberText(average < 10 ? Math.round(average * 10) / 10 : Math.round(average));
