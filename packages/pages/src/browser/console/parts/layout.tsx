import type { ComponentChildren, JSX } from 'preact';
import { shellMessages as shell } from '../../../messages/en/console/shell.js';
import { numberText } from '../format.js';
import { useKeys } from '../keys.js';
import { hrefOf, setQuery, usePlace } from '../router.js';
import { Icon } from './icons.js';
import { Link } from './link.js';

/** A view: its heading, its actions, its content. */
export const View = ({
  title,
  lead,
  actions,
  children,
}: {
  title: ComponentChildren;
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}): JSX.Element => (
  <>
    <header class="view-head">
      <div class="view-titles">
        <h1 tabIndex={-1}>{title}</h1>
        {lead !== undefined && <p class="quiet">{lead}</p>}
      </div>
      {actions !== undefined && <div class="view-actions">{actions}</div>}
    </header>
    {children}
  </>
);

/** A part of a view with a heading of its own. */
export const Panel = ({
  title,
  aside,
  children,
  ...rest
}: {
  title: string;
  aside?: ComponentChildren;
  children: ComponentChildren;
  class?: string;
}): JSX.Element => (
  <section class={`box ${rest.class ?? ''}`}>
    <div class="box-head">
      <h2>{title}</h2>
      {aside}
    </div>
    {children}
  </section>
);

/** Names of values beside the values. */
export const Facts = ({
  facts,
}: {
  facts: readonly (readonly [string, ComponentChildren])[];
}): JSX.Element => (
  <dl class="facts">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

/** Returns the number of the page that is shown, from 1. */
export const usePageNumber = (): number => {
  const page = Number(usePlace().query.get('page') ?? '1');
  return Number.isSafeInteger(page) && page > 0 ? page : 1;
};

/** Leads through the pages of a list. */
export function Pager({
  total,
  pageSize,
}: {
  total: number | undefined;
  pageSize: number;
}): JSX.Element | null {
  const page = usePageNumber();
  const { path, query } = usePlace();
  const last = Math.max(1, Math.ceil((total ?? 0) / pageSize));
  const turn = (to: number): void => {
    if (to >= 1 && to <= last && to !== page) setQuery({ page: to === 1 ? undefined : String(to) });
  };
  useKeys({ n: () => turn(page + 1), p: () => turn(page - 1) });
  if (total === undefined || total <= pageSize) return null;
  const hrefFor = (to: number): string => hrefOf(path, { ...Object.fromEntries(query), page: String(to) });
  const from = (page - 1) * pageSize + 1;
  return (
    <nav class="pager" aria-label={shell.pages}>
      <p class="quiet">
        {shell.range(numberText(from), numberText(Math.min(page * pageSize, total)), numberText(total))}
      </p>
      {page > 1 && (
        <Link href={hrefFor(page - 1)} class="button secondary small">
          <Icon name="back" /> {shell.previous}
        </Link>
      )}
      {page < last && (
        <Link href={hrefFor(page + 1)} class="button secondary small">
          {shell.next} <Icon name="next" />
        </Link>
      )}
    </nav>
  );
}
