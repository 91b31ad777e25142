import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FOREIGN_HASHES } from '../../../../test/support/foreign-hashes.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { storedFormOf } from '../passwords/foreign/stored-form.js';
import { parseStoredHash } from '../passwords/stored-hash.js';
import { Database } from '../storage/database.js';
import { PasswordHashRepository } from './password-hash-repository.js';

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database({ url: testDatabase.url, poolMax: 2, preparedStatements: true });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

/** Replaces all users by one for each hash, and returns the kinds. */
async function kindsOf(hashes: readonly (string | null)[]) {
  await database.run(async (knex) => {
    await knex('users').delete();
    const rows = hashes.map((password_hash) => ({
      id: randomUUID(),
      email: `${randomUUID()}@example.com`,
      password_hash,
    }));
    await knex('users').insert(rows);
  });
  return new PasswordHashRepository(database).kinds();
}

const SALTS = [`$${'A'.repeat(22)}`, `$${'A'.repeat(22)}`, `$${'A'.repeat(43)}`].join('');
const WRAPPED = [
  `$wrapped$l=31$argon2id$v=19$m=64,t=1,p=1$2b$10${SALTS}`,
  `$wrapped$l=22$argon2id$v=19$m=64,t=1,p=1$P$B$saltsalt${SALTS.slice(23)}`,
  `$wrapped$l=64$argon2id$v=19$m=64,t=1,p=1$firebase-scrypt$m=14,r=8${SALTS}`,
];

it('the kinds of stored hashes are their prefixes, in PostgreSQL as in the service', async () => {
  const stored = [...FOREIGN_HASHES.map(({ hash, input = hash }) => storedFormOf(input) ?? ''), ...WRAPPED];
  const prefixes = stored.map((hash) => parseStoredHash(hash)?.prefix ?? '');
  const all = [...new Set(prefixes)].sort();
  expect(all.length).toBeGreaterThan(16);
  const found = new Set<string>();
  for (let start = 0; start < all.length; start += 10) {
    const batch = all.slice(start, start + 10);
    const kinds = await kindsOf(stored.filter((_hash, index) => batch.includes(prefixes[index] ?? '')));
    for (const { prefix, count } of kinds) {
      expect(count).toBe(prefixes.filter((one) => one === prefix).length);
      found.add(prefix);
    }
  }
  expect([...found].sort()).toEqual(all);
});

it('neither salts nor digests nor keys leave the database, not even of hashes that are not in their stored form', async () => {
  const texts = FOREIGN_HASHES.flatMap(({ hash, input = hash }) => [hash, input]);
  const firebase = texts.filter((text) => text.includes(',sk='));
  expect(firebase.length).toBeGreaterThan(2);
  const malformed = ['secret', '$P$Bsecret', '$2b$10$secret', '$scrypt$ln=14,r=8,p=1', '$wrapped$l=1$secret'];
  const ofMalformed = await kindsOf([...firebase, ...malformed, null]);
  const kinds = await kindsOf([...texts, ...WRAPPED]);
  expect(kinds.length).toBeGreaterThan(10);
  for (const { prefix } of [...ofMalformed, ...kinds]) {
    expect(prefix).not.toMatch(/secret|sk=|ss=/);
    expect(prefix).toMatch(/^(\$(wrapped|l=\d+|[PH]|[./\w]|2[aby]|\d\d|[a-z\d-]+|([a-z]+=\d+,?)+))+$/);
    expect(prefix.length).toBeLessThan(80);
  }
});
