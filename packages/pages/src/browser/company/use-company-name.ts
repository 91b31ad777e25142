import { useEffect, useState } from 'preact/hooks';
import { ownCompanyMessages as messages } from '../../messages/en/company.js';
import { client } from '../client.js';
import { shortId } from './texts.js';

/** Returns the name of one of the user's companies; the end of its id until it is known, and for one without a name. */
export function useCompanyName(companyId: string): string {
  const [name, setName] = useState<string>();
  useEffect(() => {
    void client.access(companyId).then(({ data }) => setName(data?.metadata.companyName));
  }, [companyId]);
  return name ?? messages.unnamed(shortId(companyId));
}
