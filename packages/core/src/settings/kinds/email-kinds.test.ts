import { expect, it } from 'vitest';
import { domainList, emailList } from './email-kinds.js';

const read = (text: string) => emailList.schema.safeParse(text);

it('addresses are taken as they are written, each once', () => {
  expect(read(' team@example.com, Boss@example.com ,team@example.com,').data).toEqual([
    'team@example.com',
    'Boss@example.com',
  ]);
});

it.each([
  'Team <team@example.com>',
  'team',
  'team@localhost',
  'team@example.com; boss@example.com',
  'a b@example.com',
  `${'x'.repeat(250)}@example.com`,
])('%j is refused', (text) => {
  expect(read(`ok@example.com,${text}`).success).toBe(false);
});

const domainsOf = (text: string) => domainList.schema.safeParse(text);

it('domains are taken as addresses have them, each once', () => {
  expect(domainsOf('Example.com, *.example.com,example.com, Bücher.example').data).toEqual([
    'example.com',
    '*.example.com',
    'xn--bcher-kva.example',
  ]);
});

it.each([
  'localhost',
  '@example.com',
  'a@example.com',
  '*',
  '*.',
  '*.com',
  'ex*mple.com',
  'a..example',
  'example.com.',
  ',',
])('the domain %j is refused', (text) => {
  expect(domainsOf(text).success).toBe(false);
});
