import { pageData } from './page-data.js';
import { tabStorage } from './tab-storage.js';

/** A sign-in by mail that this browser has asked for. */
interface MailedRequest {
  /** The secret without which neither the link nor the code is worth anything (RFC 7636, section 4.1). */
  verifier: string;
  email: string;
  /** The target after the sign-in, validated by the service. */
  target: string | undefined;
}

const KEY = 'latchkey.mailed-sign-in';

/** The storage of the browser, since a mail opens its link in another tab; of this tab where the browser blocks it. */
const storage = (): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> => {
  try {
    return localStorage;
  } catch {
    return tabStorage;
  }
};

export const mailedRequest = {
  read(): MailedRequest | undefined {
    const text = storage().getItem(KEY);
    return text === null ? undefined : (JSON.parse(text) as MailedRequest);
  },
  write: (verifier: string, email: string): void =>
    storage().setItem(
      KEY,
      JSON.stringify({
        verifier,
        email,
        target: pageData.returnTo ?? pageData.webApp,
      } satisfies MailedRequest),
    ),
  clear: (): void => storage().removeItem(KEY),
};
