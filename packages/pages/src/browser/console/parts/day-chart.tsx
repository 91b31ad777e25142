import type { JSX } from 'preact';
import { activityMessages as messages } from '../../../messages/en/console/operations.js';
import { dayText, numberText } from '../format.js';

/** A number of one day. */
interface DayCount {
  day: string;
  count: number;
}

interface DayChartProps {
  name: string;
  /** The number above the bars. */
  figure: string;
  days: readonly DayCount[];
  /** The text in place of the picture. */
  label: (most: string) => string;
  isBad?: boolean;
}

const HEIGHT = 40;
/** Width of a day; the bar leaves a gap to the next. */
const [STEP, BAR] = [10, 8];
/** A day with few events is still to be seen beside one with many. */
const LEAST = 1.5;

/** Bars of a number by day. A screen reader gets its summary; the table of the view has each number. */
export function DayChart({ name, figure, days, label, isBad }: DayChartProps): JSX.Element {
  const top = days.reduce<DayCount | undefined>(
    (most, each) => (each.count > (most?.count ?? 0) ? each : most),
    undefined,
  );
  const most = top ? messages.most(numberText(top.count), dayText(top.day)) : messages.noMost;
  return (
    <figure class={`chart ${isBad === true ? 'bad' : ''}`}>
      <figcaption>
        <span class="figure-name">{name}</span>
        <span class="chart-figure">{figure}</span>
        <span class="quiet">{most}</span>
      </figcaption>
      <svg
        role="img"
        aria-label={label(most)}
        viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        {days.map((each, index) => (
          <Bar key={each.day} each={each} index={index} most={top?.count ?? 1} />
        ))}
      </svg>
      <p class="chart-ends quiet" aria-hidden="true">
        <span>{dayText(days[0]?.day ?? '')}</span>
        <span>{dayText(days.at(-1)?.day ?? '')}</span>
      </p>
    </figure>
  );
}

function Bar({ each, index, most }: { each: DayCount; index: number; most: number }): JSX.Element {
  const height = each.count === 0 ? 0 : Math.max(LEAST, (each.count / most) * HEIGHT);
  return (
    <g>
      <title>{`${dayText(each.day)}: ${numberText(each.count)}`}</title>
      <rect class="chart-hit" x={index * STEP} y={0} width={STEP} height={HEIGHT} />
      <rect class="chart-bar" x={index * STEP + 1} y={HEIGHT - height} width={BAR} height={height} />
    </g>
  );
}
