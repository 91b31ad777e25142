import pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { openConnection } from '../../../../test/support/open-connection.js';
import { createTestAuth } from './create-test-auth.js';

const databaseUrl = inject('postgres').url;

describe('work that is registered with onClose', () => {
  it('an app can write by its own pool until its last listener has finished, and no connection is cut off', async () => {
    const kit = await createTestAuth({ databaseUrl, schema: 'latchkey' });
    const pool = new pg.Pool({ connectionString: kit.databaseUrl });
    const errors: unknown[] = [];
    pool.on('error', (error) => errors.push(error));
    kit.onClose(() => pool.end());
    await pool.query('CREATE TABLE public.seen (user_id uuid)');
    let written = 0;
    kit.auth.on('login', async ({ subjectUserId }) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      await pool.query('INSERT INTO public.seen VALUES ($1)', [subjectUserId]);
      written += 1;
    });
    await kit.user();
    await kit.close();
    expect([written, pool.ended, errors]).toEqual([1, true, []]);
  });

  it('work runs once, the last registered first, and the database is dropped even if some of it fails', async () => {
    const kit = await createTestAuth({ databaseUrl });
    const { pathname } = new URL(kit.databaseUrl);
    const order: string[] = [];
    kit.onClose(() => order.push('first'));
    kit.onClose(() => {
      order.push('second');
      throw new Error('not closed');
    });
    await expect(kit.close()).rejects.toThrow('not closed');
    await expect(kit.close()).rejects.toThrow('not closed');
    expect(order).toEqual(['second', 'first']);
    const client = await openConnection(databaseUrl);
    const { rows } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [pathname.slice(1)]);
    await client.end();
    expect(rows).toEqual([]);
  });

  it('anything but a function, and work for a kit that is closed, is refused', async () => {
    const kit = await createTestAuth({ databaseUrl });
    expect(() => kit.onClose('pool.end()' as never)).toThrow('kit.onClose: pass a function');
    await kit.close();
    expect(() => kit.onClose(() => undefined)).toThrow('call it before kit.close()');
  });
});
