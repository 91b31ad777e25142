import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { buildClientTypes } from '../../tools/build/client-types/client-types.js';

const contract = readFileSync(fileURLToPath(new URL('../../docs/openapi.json', import.meta.url)), 'utf8');
const folder = mkdtempSync(path.join(tmpdir(), 'latchkey-client-types-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Generates from the document, beside what former calls have left. */
async function generateFrom(document: string): Promise<{ isWritten: boolean; types: string }> {
  const [source, target] = [path.join(folder, 'openapi.json'), path.join(folder, 'openapi.ts')];
  writeFileSync(source, document);
  const isWritten = await buildClientTypes(source, target);
  return { isWritten, types: readFileSync(target, 'utf8') };
}

describe('the generated types of the client', () => {
  it('are written once for a document, and again when it has changed', async () => {
    const first = await generateFrom(contract);
    expect(first.isWritten).toBe(true);
    expect(await generateFrom(contract)).toEqual({ isWritten: false, types: first.types });

    const renamed = await generateFrom(contract.replaceAll('"/auth/sessions"', '"/auth/sign-ins"'));
    expect(renamed.isWritten).toBe(true);
    expect(first.types).toContain('"/auth/sessions": {');
    expect(renamed.types).toContain('"/auth/sign-ins": {');
    expect(renamed.types).not.toContain('"/auth/sessions": {');
  });

  it('leave out the routes of machines and the header of cookie mode', async () => {
    expect(contract).toContain('"/internal/admin/users"');
    expect(contract).toContain('x-auth-mode');
    const { types } = await generateFrom(contract);
    expect(types).not.toContain('"/internal/admin/users"');
    expect(types).not.toContain('x-auth-mode');
  });
});
