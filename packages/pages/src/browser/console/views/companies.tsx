import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { companyMessages as messages } from '../../../messages/en/console/operations.js';
import { client } from '../../client.js';
import { failureText } from '../failure.js';
import { shortId } from '../format.js';
import { useKeys } from '../keys.js';
import { Icon } from '../parts/icons.js';
import { Panel, View } from '../parts/layout.js';
import { Link } from '../parts/link.js';
import { Pill } from '../parts/pill.js';
import { UUID } from '../patterns.js';
import { recentCompanies } from '../recent-companies.js';
import { go, hrefOf } from '../router.js';
import { useRowKeys } from '../rows.js';
import { useMe } from '../session-context.js';

/** Leads to one company: the service keeps memberships, and no directory of companies. */
export function CompaniesView(): JSX.Element {
  const me = useMe();
  useRowKeys();
  const own = me.companyMemberships.map(({ companyId, role }) => ({ id: companyId, note: role }));
  const recent = recentCompanies().map((id) => ({ id, note: undefined }));
  return (
    <View title={messages.title} lead={messages.lead}>
      <FindCompany />
      {own.length > 0 && <CompanyLines title={messages.yours} companies={own} />}
      {recent.length > 0 && <CompanyLines title={messages.recent} companies={recent} />}
    </View>
  );
}

function FindCompany(): JSX.Element {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');
  useKeys({ '/': () => document.querySelector<HTMLElement>('#company')?.focus() });
  return (
    <form
      class="find"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') void openCompany(text.trim()).then(setProblem);
      }}
    >
      <CompanyField
        text={text}
        isWrong={problem !== ''}
        onInput={(value) => {
          setText(value);
          setProblem('');
        }}
      />
      <button type="submit" class="button primary">
        {messages.open}
      </button>
      <p id="company-problem" class="field-error" role="status">
        {problem}
      </p>
    </form>
  );
}

/** Goes to a company. @returns why there is none; empty if there is. */
async function openCompany(raw: string): Promise<string> {
  let companyId = raw.toLowerCase();
  if (!UUID.test(raw)) {
    const { data, error } = await client.request('GET', '/internal/companies/resolve', { query: { raw } });
    if (error) return failureText(error);
    companyId = data.companyId;
  }
  go(hrefOf(`companies/${companyId}`));
  return '';
}

interface CompanyFieldProps {
  text: string;
  isWrong: boolean;
  onInput: (value: string) => void;
}

const CompanyField = ({ text, isWrong, onInput }: CompanyFieldProps): JSX.Element => (
  <div class="filter wide">
    <label class="unseen" for="company">
      {messages.find}
    </label>
    <Icon name="search" />
    <input
      id="company"
      type="search"
      value={text}
      placeholder={messages.find}
      autocomplete="off"
      spellcheck={false}
      aria-describedby="company-problem"
      aria-invalid={isWrong || undefined}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.currentTarget.blur();
      }}
    />
    <kbd aria-hidden="true">/</kbd>
  </div>
);

interface CompanyLinesProps {
  title: string;
  companies: readonly { id: string; note: string | undefined }[];
}

const CompanyLines = ({ title, companies }: CompanyLinesProps): JSX.Element => (
  <Panel title={title}>
    <ul class="lines">
      {companies.map(({ id, note }) => (
        <li key={id} data-record={id}>
          <Icon name="companies" />
          <span class="line-text">
            <Link href={hrefOf(`companies/${id}`)} isMain class="code">
              {shortId(id)}
            </Link>
          </span>
          {note !== undefined && <Pill tone="accent" text={note} />}
        </li>
      ))}
    </ul>
  </Panel>
);
