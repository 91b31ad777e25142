import { useId, type ReactElement } from 'react';
import { useCompanies } from '../react/use-companies.js';
import { useTexts, type Texts } from './texts.js';

/** The properties of `CompanySwitcher`. */
export interface CompanySwitcherProps {
  /** Returns the name of a company, which your app knows. */
  nameOf: (companyId: string) => string;
  texts?: Partial<Texts> | undefined;
}

/**
 * A choice of the company that this tab is at work in. Renders nothing for users of fewer than two.
 *
 * @example
 * const companySwitcher = (props: CompanySwitcherProps) => CompanySwitcher(props);
 */
export function CompanySwitcher({ nameOf, texts: replaced }: CompanySwitcherProps): ReactElement | null {
  const { companies, company, choose } = useCompanies();
  const texts = useTexts(replaced);
  const id = useId();
  if (companies.length < 2) return null;
  return (
    <div className="lk-company-switcher lk-field">
      <label htmlFor={id}>{texts.company}</label>
      <select
        id={id}
        value={company?.companyId}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        {companies.map(({ companyId }) => (
          <option key={companyId} value={companyId}>
            {nameOf(companyId)}
          </option>
        ))}
      </select>
    </div>
  );
}
