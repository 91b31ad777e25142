import { INTERNAL_KEY, startEnvironment } from './environment.js';
import { startReplica, type Version } from './replica.js';
import { Rotation } from './rotation.js';
import { UserLoad } from './user-load.js';

interface Trial {
  former: Version;
  current: Version;
  report: (line: string) => void;
}

/**
 * Lets this version create the schema and a user, and starts the former version on it: a session of the one is refreshed
 * by the other. @throws Error if the former version does not start, or a request fails.
 */
export async function tryOnNewSchema({ former, current, report }: Trial): Promise<void> {
  const environment = await startEnvironment();
  try {
    const rotation = new Rotation();
    const newer = await startReplica(current, environment.settings);
    rotation.add(newer);
    const user = new UserLoad(rotation, 'ada@example.com');
    await user.begin(INTERNAL_KEY);
    await rotation.retire(newer);
    const older = await startReplica(former, environment.settings);
    rotation.add(older);
    await user.step();
    await user.signIn();
    await user.step();
    await rotation.retire(older);
    const [failure] = rotation.failures;
    if (failure !== undefined) throw new Error(failure);
    report('   the former release starts on the schema of this version: sign-in, refresh and /auth/me work');
  } finally {
    await environment.stop();
  }
}
