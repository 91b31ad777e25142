import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditRepository } from '../../../../test/support/audit-repositories.js';
import { insertUserBy, openSession } from '../../../../test/support/open-session.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { ApiKeyRepository } from '../api-key-records/api-key-repository.js';
import { ApiKeyRevoker } from '../api-key-records/api-key-revoker.js';
import { AuthError } from '../kernel/auth-error.js';
import { unknownClient } from '../kernel/client-info.js';
import { systemClock } from '../kernel/clock.js';
import { silentLogger } from '../kernel/logger.js';
import { unobserved } from '../kernel/observer.js';
import { RevocationMarkers } from '../sessions/revocation-markers.js';
import { SessionRepository } from '../sessions/session-repository.js';
import { SessionRevoker } from '../sessions/session-revoker.js';
import { Database } from '../storage/database.js';
import { MemoryEphemeralStore } from '../storage/ephemeral-store.memory.js';
import { TrustedDeviceRemoval } from '../trusted-devices/trusted-device-removal.js';
import { TrustedDeviceRepository } from '../trusted-devices/trusted-device-repository.js';
import { EmailChangeRepository } from '../users/email-change-repository.js';
import { UserRepository } from '../users/user-repository.js';
import { ConfirmationService, MAX_FAILED_CONFIRMATIONS, type Confirmation } from './confirmation-service.js';

let testDatabase: TestDatabase;
let database: Database;
let store: MemoryEphemeralStore;
let service: ConfirmationService;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database({ url: testDatabase.url, poolMax: 4, preparedStatements: true });
  store = new MemoryEphemeralStore({ clock: systemClock });
  const audit = auditRepository(database);
  const sessions = new SessionRepository(database, audit);
  const markers = new RevocationMarkers(store, { enabled: true, ttl: 60, logger: silentLogger });
  const sessionRevoker = new SessionRevoker({
    database,
    sessions,
    markers,
    audit,
    emailChanges: new EmailChangeRepository(database),
    apiKeyRevoker: new ApiKeyRevoker({ apiKeys: new ApiKeyRepository(database), audit }),
    trustedDeviceRemoval: new TrustedDeviceRemoval({
      trustedDevices: new TrustedDeviceRepository(database),
      audit,
    }),
  });
  service = new ConfirmationService({ database, sessions, sessionRevoker, observer: unobserved });
});
afterAll(async () => {
  await store.close();
  await database.close();
  await testDatabase.drop();
});

async function newConfirmation(): Promise<Confirmation> {
  const { id } = await insertUserBy(database);
  const user = await new UserRepository(database).findById(id);
  if (!user) throw new Error('the user is missing');
  const { sessionId } = await openSession(database, id);
  const { globalRole, tokenVersion } = user;
  const caller = {
    userId: id,
    sessionId,
    user,
    globalRole,
    tokenVersion,
    authTime: 0,
    amr: [],
    acr: 'aal1' as const,
    claims: {},
    kind: 'session' as const,
  };
  return { caller, client: unknownClient, event: 'password_confirmation' };
}

const wrong = (): Promise<string | undefined> => Promise.resolve(undefined);
const right = () => Promise.resolve('proof');
const unavailable = (): Promise<string> => Promise.reject(AuthError.unavailable('no thread is free'));

async function failTimes(confirmation: Confirmation, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) expect(await service.run(confirmation, wrong)).toBeUndefined();
}

describe('a confirmation', () => {
  it('a confirmation that could not be checked does not count, however often', async () => {
    const confirmation = await newConfirmation();
    await failTimes(confirmation, MAX_FAILED_CONFIRMATIONS - 1);
    for (let time = 0; time < 5; time += 1) {
      await expect(service.run(confirmation, unavailable)).rejects.toMatchObject({
        code: 'service_unavailable',
      });
    }
    expect(await service.run(confirmation, right)).toBe('proof');
  });

  it('a right confirmation resets the count', async () => {
    const confirmation = await newConfirmation();
    for (let round = 0; round < 3; round += 1) {
      await failTimes(confirmation, MAX_FAILED_CONFIRMATIONS - 1);
      expect(await service.run(confirmation, right)).toBe('proof');
    }
  });

  it('a confirmation is rejected while another one of the same session is running, and not of another session', async () => {
    const [confirmation, other] = [await newConfirmation(), await newConfirmation()];
    const outcomes: unknown[] = [];
    const result = await service.run(confirmation, async () => {
      outcomes.push(await service.run(confirmation, right).catch((error: unknown) => error));
      outcomes.push(await service.run(other, right));
      return 'proof';
    });
    expect(result).toBe('proof');
    expect(outcomes).toMatchObject([{ code: 'rate_limited', retryAfterSeconds: 1 }, 'proof']);
  });

  it('the tenth wrong confirmation in a row revokes the session', async () => {
    const confirmation = await newConfirmation();
    await failTimes(confirmation, MAX_FAILED_CONFIRMATIONS - 1);
    await expect(service.run(confirmation, wrong)).rejects.toMatchObject({ code: 'session_revoked' });
    await expect(service.run(confirmation, right)).rejects.toMatchObject({ code: 'session_revoked' });
  });

  it('a confirmation of an expired session is rejected without a check', async () => {
    const confirmation = await newConfirmation();
    await database.run((knex) =>
      knex('sessions').where({ id: confirmation.caller.sessionId }).update({ expires_at: knex.fn.now() }),
    );
    await expect(service.run(confirmation, right)).rejects.toMatchObject({ code: 'unauthorized' });
  });
});
