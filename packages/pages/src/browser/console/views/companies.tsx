import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { companyMessages as messages } from '../../../messages/en/console/operations.js';
import { shellMessages as shell } from '../../../messages/en/console/shell.js';
import { client } from '../../client.js';
import { keepCompanyNames } from '../company-names.js';
import { numberText, shortId } from '../format.js';
import { Filters, TextFilter } from '../parts/filters.js';
import { View } from '../parts/layout.js';
import { Link } from '../parts/link.js';
import { Records, type Column } from '../parts/records.js';
import { Empty, Loaded } from '../parts/states.js';
import { Ago } from '../parts/time.js';
import { hrefOf, usePlace } from '../router.js';
import type { Company } from '../types.js';
import { defined, keyOf, useQuery } from '../use-query.js';

const PAGE_SIZE = 50;
/** The service counts up to this number. */
const MOST_COUNTED = 1000;

/** The companies that have members or invitations. */
export function CompaniesView(): JSX.Element {
  const search = usePlace().query.get('search') ?? '';
  return (
    <View title={messages.title} lead={messages.lead}>
      <Filters names={['search']}>
        <TextFilter name="search" label={messages.find} type="search" isSearch />
      </Filters>
      <CompanyList key={search} search={search} />
    </View>
  );
}

function CompanyList({ search }: { search: string }): JSX.Element {
  const [cursor, setCursor] = useState<string>();
  const [earlier, setEarlier] = useState<readonly Company[]>([]);
  const [next, setNext] = useState<string>();
  const page = useQuery(keyOf(search, cursor), async (signal) => {
    const query = defined({ search, cursor, limit: PAGE_SIZE });
    const outcome = await client.request('GET', '/internal/companies', { query, signal });
    if (outcome.ok) setNext(outcome.response.headers.get('x-next-cursor') ?? undefined);
    return outcome;
  });
  useEffect(() => keepCompanyNames(page.data ?? []), [page.data]);
  const showMore = (): void => {
    setEarlier([...earlier, ...(page.data ?? [])]);
    setCursor(next);
  };
  return (
    <>
      <Loaded query={page} rows={8}>
        {(items) => <Companies items={page.isLoading ? earlier : [...earlier, ...items]} search={search} />}
      </Loaded>
      {next !== undefined && !page.isLoading && (
        <button type="button" class="button secondary" onClick={showMore}>
          {messages.more}
        </button>
      )}
    </>
  );
}

function Companies({ items, search }: { items: readonly Company[]; search: string }): JSX.Element {
  if (items.length > 0)
    return <Records label={messages.title} kind="companies" items={items} columns={COLUMNS} />;
  return search === '' ? (
    <Empty title={messages.none} hint={messages.noneHint} icon="companies" />
  ) : (
    <Empty title={messages.noMatch} hint={messages.noMatchHint} />
  );
}

const countText = (count: number): string =>
  count >= MOST_COUNTED ? `${numberText(count)}+` : numberText(count);

const COLUMNS: readonly Column<Company>[] = [
  {
    heading: messages.company,
    cell: ({ id, name }) => (
      <span class="who-text">
        <Link
          href={hrefOf(`companies/${id}`)}
          isMain
          class={name === undefined ? 'who-name code' : 'who-name'}
        >
          {name ?? shortId(id)}
        </Link>
        {name !== undefined && (
          <span class="quiet code" title={id}>
            {shortId(id)}
          </span>
        )}
      </span>
    ),
  },
  { heading: messages.members, cell: ({ activeMembers }) => countText(activeMembers) },
  { heading: messages.open, cell: ({ openInvitations }) => countText(openInvitations) },
  {
    heading: messages.lastActivity,
    cell: ({ lastActivityAt }) =>
      lastActivityAt === undefined ? <span class="quiet">{shell.never}</span> : <Ago at={lastActivityAt} />,
    isMinor: true,
  },
];
