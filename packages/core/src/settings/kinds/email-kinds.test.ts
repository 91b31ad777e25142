import { expect, it } from 'vitest';
import { emailList } from './email-kinds.js';

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
