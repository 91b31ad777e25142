import type { JSX } from 'preact';
import { useCompanyName } from '../company-names.js';
import { shortId } from '../format.js';

/** A company in a list: its name, or the end of its id, whole in the title. */
export function CompanyName({ id }: { id: string }): JSX.Element {
  const name = useCompanyName(id);
  return name === undefined ? (
    <span class="code" title={id}>
      {shortId(id)}
    </span>
  ) : (
    <>{name}</>
  );
}
