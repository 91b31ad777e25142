import type { ComponentChildren, JSX } from 'preact';
import { shellMessages as shell } from '../../../messages/en/console/shell.js';
import { failureText } from '../failure.js';
import { hrefOf } from '../router.js';
import type { Query } from '../use-query.js';
import { Icon, type IconName } from './icons.js';
import { Link } from './link.js';

/** A place without records: why, and what to do. */
export const Empty = ({
  title,
  hint,
  icon = 'search',
  children,
}: {
  title: string;
  hint: string;
  icon?: IconName;
  children?: ComponentChildren;
}): JSX.Element => (
  <div class="blank">
    <span class="blank-icon">
      <Icon name={icon} />
    </span>
    <p class="blank-title">{title}</p>
    <p class="quiet">{hint}</p>
    {children}
  </div>
);

/** Rows of the height of those that come. */
const Skeleton = ({ rows }: { rows: number }): JSX.Element => (
  <div class="skeleton" role="status">
    <span class="unseen">{shell.loading}</span>
    {Array.from({ length: rows }, (_, index) => (
      <div class="skeleton-row" key={index} />
    ))}
  </div>
);

interface LoadedProps<Data> {
  query: Query<Data>;
  rows?: number;
  children: (data: Data) => ComponentChildren;
}

/** What a query has loaded, or its state. */
export function Loaded<Data>({ query, rows = 6, children }: LoadedProps<Data>): JSX.Element {
  const { data, failure, isLoading, reload } = query;
  if (failure?.code === 'not_found') {
    return (
      <Empty title={shell.notFound} hint={shell.notFoundHint}>
        <Link href={hrefOf('')} class="button secondary">
          {shell.toOverview}
        </Link>
      </Empty>
    );
  }
  if (failure) {
    return (
      <Empty title={shell.failed} hint={failureText(failure)} icon="alert">
        <button type="button" class="button secondary" onClick={reload}>
          {shell.retry}
        </button>
      </Empty>
    );
  }
  if (data === undefined) return <Skeleton rows={rows} />;
  return (
    <div class={isLoading ? 'renewing' : undefined} aria-busy={isLoading}>
      {children(data)}
    </div>
  );
}
