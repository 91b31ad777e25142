import pg from 'pg';
import { INTERNAL_KEY, startEnvironment } from './environment.js';
import { startReplica, type Version } from './replica.js';
import { Rotation } from './rotation.js';
import { UserLoad } from './user-load.js';

interface Trial {
  former: Version;
  current: Version;
  /** True if the former version reads values of later ones. */
  readsLaterValues: boolean;
  report: (line: string) => void;
}

/**
 * Lets this version create the schema and a user, and starts the former version on it: a session of the one is refreshed
 * by the other, and sessions of a way in that neither knows are listed. @throws Error if the former version does not start, or a request fails.
 */
export async function tryOnNewSchema({ former, current, readsLaterValues, report }: Trial): Promise<void> {
  const environment = await startEnvironment();
  try {
    const rotation = new Rotation();
    const newer = await startReplica(current, environment.settings);
    rotation.add(newer);
    const user = new UserLoad(rotation, 'ada@example.com');
    await user.begin(INTERNAL_KEY);
    await addLaterValues(environment.settings.DATABASE_URL);
    await user.listSessions();
    await rotation.retire(newer);
    const older = await startReplica(former, environment.settings);
    rotation.add(older);
    await user.step();
    await user.signIn();
    await user.step();
    if (readsLaterValues) await user.listSessions();
    await rotation.retire(older);
    const [failure] = rotation.failures;
    if (failure !== undefined) throw new Error(failure);
    report('   the former release starts on the schema of this version: sign-in, refresh and /auth/me work');
  } finally {
    await environment.stop();
  }
}

/** Writes what a version after this one may write while this one still runs. */
async function addLaterValues(url: string | undefined): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO sessions (id, user_id, selector_digest, secret_digest, origin, amr, expires_at)
       SELECT gen_random_uuid(), id, sha256('later'), sha256('x'), 'of_a_later_version', '{fed}', now() + interval '1 hour'
       FROM users`,
    );
  } finally {
    await client.end();
  }
}
