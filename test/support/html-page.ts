import { expect } from 'vitest';
import type { Answer, ApiClient, ApiOptions } from './api-client.js';

/** A page as a browser gets it, without a browser. */
export interface HtmlPage {
  answer: Answer;
  html: string;
  /** The one nonce of its policy. */
  nonce: string;
  /** Sources by directive. */
  policy: Map<string, string[]>;
  tags: HtmlTag[];
  /** The `data-` attributes of the body, which its script reads. */
  data: Record<string, string>;
}

interface HtmlTag {
  name: string;
  /** Values as a browser sees them; empty for an attribute without one. */
  attributes: Map<string, string>;
}

/** As strict as the pages are regular: quoted values, lower case. Whatever breaks out of its place does not fit. */
const TAG = /<(\/?[a-z][a-z0-9]*|!doctype)((?: +[a-z-]+(?:="[^"<>]*")?)*) *>/g;
const ATTRIBUTE = /([a-z-]+)(?:="([^"]*)")?/g;
const BROKEN_TEXT = /[<>]|&(?!amp;|lt;|gt;|quot;|#39;)/;
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Opens a page; what comes must be well-formed HTML with a policy that names one nonce. */
export async function openPage(client: ApiClient, path: string, options?: ApiOptions): Promise<HtmlPage> {
  const answer = await client.send('GET', path, options);
  expect([path, answer.status, answer.headers['content-type']]).toEqual([
    path,
    200,
    'text/html; charset=utf-8',
  ]);
  return readPage(answer);
}

function readPage(answer: Answer): HtmlPage {
  const html = answer.text;
  expect(html.replace(TAG, ''), 'every bracket and ampersand is in its place').not.toMatch(BROKEN_TEXT);
  const tags = [...html.matchAll(TAG)].map(([, name = '', attributes = '']) => ({
    name,
    attributes: attributesOf(attributes),
  }));
  const policy = policyOf(answer);
  const nonces = [...policy.values()].flat().flatMap((source) => /^'nonce-(.+)'$/.exec(source)?.[1] ?? []);
  expect(new Set(nonces).size).toBe(1);
  return { answer, html, nonce: nonces[0] ?? '', policy, tags, data: dataOf(tags) };
}

const attributesOf = (text: string): Map<string, string> =>
  new Map([...text.matchAll(ATTRIBUTE)].map(([, name = '', value = '']) => [name, decoded(value)]));

const decoded = (text: string): string =>
  text.replace(/&([#\w]+);/g, (_, name: string) => ENTITIES[name] ?? '');

function policyOf({ headers }: Answer): Map<string, string[]> {
  const directives = String(headers['content-security-policy']).split('; ');
  return new Map(
    directives.map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources];
    }),
  );
}

function dataOf(tags: HtmlTag[]): Record<string, string> {
  const body = tags.find(({ name }) => name === 'body')?.attributes ?? new Map<string, string>();
  return Object.fromEntries([...body].map(([name, value]) => [name.replace(/^data-/, ''), value]));
}

/** The values of one attribute, wherever it occurs, in the page's order. */
export const valuesOf = ({ tags }: HtmlPage, attribute: string): string[] =>
  tags.flatMap(({ attributes }) => attributes.get(attribute) ?? []);

/** The files a page loads. */
export const assetsOf = (page: HtmlPage): string[] => [
  ...new Set([...valuesOf(page, 'href'), ...valuesOf(page, 'src')].filter((url) => url.includes('/assets/'))),
];

/** The page with its nonce blotted out: what is left is the same each time. */
export const withoutNonce = ({ html, nonce }: HtmlPage): string => html.replaceAll(nonce, 'NONCE');
