import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

/** Returns the address of an entry, from 1. */
const emailOf = (entry: number): string => `person-${entry}@proof.example.com`;

/** A hash that costs nothing to import. */
const HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$AAECAwQFBgcICQoLDA0ODw$AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8';
const COMPANIES = 100;

const companyOf = (entry: number): string =>
  `018f4e6e-0000-7000-8000-${String(entry % COMPANIES).padStart(12, '0')}`;

/** Writes a file of users; every tenth has a membership, and every `brokenEvery`th line is malformed. */
export async function writeUsersFile(
  path: string,
  count: number,
  { brokenEvery }: { brokenEvery: number },
): Promise<void> {
  const file = createWriteStream(path);
  for (let from = 1; from <= count; from += 5_000) {
    const lines: string[] = [];
    for (let entry = from; entry < Math.min(from + 5_000, count + 1); entry += 1) {
      lines.push(entry % brokenEvery === 0 ? `{"email": "broken-${entry}` : lineOf(entry));
    }
    if (!file.write(`${lines.join('\n')}\n`)) await once(file, 'drain');
  }
  file.end();
  await finished(file);
}

const lineOf = (entry: number): string =>
  JSON.stringify({
    email: emailOf(entry),
    isEmailVerified: true,
    fullName: `Person ${entry} Example`,
    passwordHash: HASH,
    legacyIds: { old: String(entry) },
    createdAt: '2020-01-01T00:00:00Z',
    ...(entry % 10 === 0 && {
      memberships: [{ companyId: companyOf(entry), role: 'MEMBER', moduleGrants: ['billing'] }],
    }),
  });
