/** Reasons for a failed sign-in, as they appear in the page's address. */
export const REFUSALS = {
  used: {
    status: 410,
    text: 'This link has been used, or is older than a minute. Open a new one from the app.',
  },
  account: { status: 403, text: 'This account may not sign in at the moment.' },
  unavailable: {
    status: 503,
    text: 'We cannot sign you in at the moment. Try again from the app in a minute.',
  },
} as const;
export type Refusal = keyof typeof REFUSALS;

export const isRefusal = (text: unknown): text is Refusal => typeof text === 'string' && text in REFUSALS;

export interface Person {
  name: string;
  email: string;
}

/** Shows the signed-in user, so that a user who was sent a stranger's link notices. */
export const homePage = ({ name, email }: Person, companyId: string): string =>
  page(
    'Welcome',
    `<p>Signed in as <strong>${escape(name)}</strong> (${escape(email)}), for company ${escape(companyId)}.</p>
<form method="post" action="/sign-out"><button>Sign out</button></form>`,
  );

export const signedOutPage = (): string =>
  page('Signed out', '<p>Open this page from the app to sign in.</p>');

export const refusalPage = (why: Refusal): string => page('Not signed in', `<p>${REFUSALS[why].text}</p>`);

const page = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<h1>${title}</h1>
${content}
</html>
`;

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
