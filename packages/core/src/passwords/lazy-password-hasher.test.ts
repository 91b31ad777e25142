import { describe, expect, it } from 'vitest';
import { unobserved } from '../kernel/observer.js';
import { LazyPasswordHasher } from './lazy-password-hasher.js';

const cheap = { memoryKib: 256, iterations: 1, parallelism: 1, workers: 1, observer: unobserved };

describe('a lazy password hasher', () => {
  it('hashes several passwords like any other hasher', async () => {
    const hasher = new LazyPasswordHasher(cheap);
    const hashes = await Promise.all([hasher.hash('a long password'), hasher.hash('a long password')]);
    for (const hash of hashes) expect(hash).toMatch(/^\$argon2id\$v=19\$m=256,t=1,p=1\$/);
    expect(new Set(hashes).size).toBe(2);
    await hasher.close();
    await expect(hasher.hash('too late')).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('a lazy password hasher wraps a hash of another system like any other hasher', async () => {
    const hasher = new LazyPasswordHasher(cheap);
    const wrapped = await hasher.wrap('$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW');
    expect(wrapped).toMatch(/^\$wrapped\$l=31\$argon2id\$v=19\$m=256,t=1,p=1\$2a\$05\$C{21}\.\$/);
    await hasher.close();
  });

  it('starts no threads before the first password', async () => {
    // These parameters are rejected at start-up.
    const hasher = new LazyPasswordHasher({ ...cheap, iterations: 0 });
    await hasher.close();
    await expect(hasher.hash('a long password')).rejects.toThrow(TypeError);
    await hasher.close();
  });
});
