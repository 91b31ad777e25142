import { useEffect, useId, useState, type ReactElement } from 'react';
import { useCompanies } from '../react/use-companies.js';
import { useMembers, type MembersState } from '../react/use-members.js';
import { SecondaryButton } from './form.js';
import { Picture } from './picture.js';
import { errorText, useTexts, type Texts } from './texts.js';

const PAGE = 25;
const SEARCH_AFTER_MS = 250;

/** The properties of `CompanyMembers`. */
export interface CompanyMembersProps {
  /** Returns the name of a role, which your app or its definition knows. Defaults to the key. */
  roleOf?: ((role: string) => string) | undefined;
  /** Returns the page on which a company is managed, such as `/company/{companyId}` of the service. */
  manageUrl?: ((companyId: string) => string) | undefined;
  texts?: Partial<Texts> | undefined;
}

/**
 * The members of the company that this tab is at work in, with a search, for those who administer it. Others see that they have no
 * access. Renders nothing without a company.
 *
 * @example
 * const companyMembers = (props: CompanyMembersProps) => CompanyMembers(props);
 */
export function CompanyMembers({
  roleOf = String,
  manageUrl,
  texts: replaced,
}: CompanyMembersProps): ReactElement | null {
  const { company } = useCompanies();
  const texts = useTexts(replaced);
  const [search, setSearch] = useState('');
  const [limit, setLimit] = useState(PAGE);
  const found = useMembers(company?.companyId, { search: useSettled(search.trim()), limit });
  const { members, total, error, status } = found;
  const id = useId();
  if (!company) return null;
  if (error?.code === 'forbidden') return <p className="lk-denied">{texts.noAccess}</p>;
  return (
    <section className="lk-company-members" aria-labelledby={id}>
      <h2 id={id}>{texts.members}</h2>
      <div className="lk-field">
        <label htmlFor={`${id}s`}>{texts.search}</label>
        <input
          id={`${id}s`}
          type="search"
          autoComplete="off"
          value={search}
          onChange={({ currentTarget }) => {
            setSearch(currentTarget.value);
            setLimit(PAGE);
          }}
        />
      </div>
      <List members={members} roleOf={roleOf} isBusy={status === 'loading'} />
      {status === 'ready' && members.length === 0 && <p className="lk-hint">{texts.noMembers}</p>}
      <p className="lk-problem" role="alert">
        {error && errorText(texts, error)}
      </p>
      {error && <SecondaryButton onPress={found.reload}>{texts.tryAgain}</SecondaryButton>}
      {total !== undefined && total > members.length && (
        <SecondaryButton onPress={() => setLimit(limit + PAGE)}>{texts.more}</SecondaryButton>
      )}
      {manageUrl && <a href={manageUrl(company.companyId)}>{texts.manageCompany}</a>}
    </section>
  );
}

const List = ({
  members,
  roleOf,
  isBusy,
}: {
  members: MembersState['members'];
  roleOf: (role: string) => string;
  isBusy: boolean;
}): ReactElement => (
  <ul aria-busy={isBusy}>
    {members.map(({ id, fullName, email, profilePictureUrl, membership }) => (
      <li key={id}>
        <Picture url={profilePictureUrl} />
        <span>{fullName ?? email}</span> <span className="lk-hint">{roleOf(membership.role)}</span>
        {fullName !== null && <span className="lk-hint lk-email">{email}</span>}
      </li>
    ))}
  </ul>
);

/** Returns a text once it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SEARCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
