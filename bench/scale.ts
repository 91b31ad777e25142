import { writeFileSync } from 'node:fs';
import { unobserved } from '../packages/core/src/kernel/observer.js';
import { PasswordHasher } from '../packages/core/src/passwords/password-hasher.js';
import { reportUsageErrors } from '../tools/shared/usage-error.js';
import { ARGON2 } from './support/argon2.js';
import { BenchEnvironment, PASSWORD } from './support/environment.js';
import { growPopulation } from './support/population/grow.js';
import { samplePopulation } from './support/population/population.js';
import { idOf, LARGE_COMPANY } from './support/population/row-makers.js';
import type { SizeResult } from './support/scale/figure.js';
import { hotFigures } from './support/scale/hot-figures.js';
import { largeListFigures } from './support/scale/large-list-figures.js';
import { listFigures } from './support/scale/list-figures.js';
import { listRequests } from './support/scale/list-requests.js';
import { checkDisk, readScaleOptions, type ScaleOptions } from './support/scale/scale-options.js';
import { missedGoals, noiseLines, scaleReport } from './support/scale/scale-report.js';
import { startTarget, type ScaleTarget } from './support/scale/scale-target.js';

// Measures the built service on growing populations, and compares each size with the smallest one. The load comes from
// another process, and the service and PostgreSQL have processes of their own.
const CONNECTIONS = 50;

/** The first of the users who signed in becomes staff and a member of the large company. */
const MAKE_STAFF = `
  WITH staff AS (UPDATE users SET global_role = 'PLATFORM_ADMIN' WHERE email = $1 RETURNING id)
  INSERT INTO company_memberships (id, user_id, company_id, role)
  SELECT ${idOf('membership', '0')}, id, ${LARGE_COMPANY}, 'ADMIN' FROM staff ON CONFLICT DO NOTHING`;

await reportUsageErrors(async () => {
  const options = readScaleOptions(process.argv.slice(2));
  if (typeof options === 'string') console.log(options);
  else await measure(options);
});

async function measure({ sizes, json }: ScaleOptions): Promise<void> {
  console.log(checkDisk(sizes.at(-1) ?? 0));
  const environment = await BenchEnvironment.open();
  try {
    const target = await startTarget(environment);
    const passwordHash = await hashOfPassword();
    const results: SizeResult[] = [];
    for (const users of sizes) {
      const from = results.at(-1)?.users ?? 0;
      console.log(`\nFilling: ${from.toLocaleString('en')} to ${users.toLocaleString('en')} users …`);
      await growPopulation({
        url: environment.postgres.url,
        from,
        to: users,
        passwordHash,
        report: console.log,
      });
      console.log(`Measuring at ${users.toLocaleString('en')} users …`);
      results.push(await measureSize(target, users));
      console.log([...scaleReport(results), ...noiseLines(results)].join('\n'));
    }
    console.log(
      `${missedGoals(results)} goals missed at ${results.at(-1)?.users.toLocaleString('en')} users`,
    );
    if (json !== undefined) writeFileSync(json, JSON.stringify(results, undefined, 2));
  } finally {
    await environment.close();
  }
}

async function measureSize(target: ScaleTarget, users: number): Promise<SizeResult> {
  const { environment, machineKey } = target;
  const population = await environment.sql(async (client) => {
    await client.query(MAKE_STAFF, [environment.emails[0]]);
    return samplePopulation(client, users);
  });
  // Access tokens of the last size may have expired.
  const [staff, ...others] = await environment.signIn(CONNECTIONS + 1, target.service.url);
  if (!staff) throw new TypeError('no user has signed in');
  const requests = listRequests(population, { machineKey, staffToken: staff.accessToken });
  const figures = [
    ...(await hotFigures(target, others)),
    ...(await listFigures(target, requests)),
    ...(await largeListFigures(target, population.largeCompanyId)),
  ];
  return { users, figures };
}

async function hashOfPassword(): Promise<string> {
  const hasher = await PasswordHasher.start({ ...ARGON2, workers: 1, observer: unobserved });
  const hash = await hasher.hash(PASSWORD);
  await hasher.close();
  return hash;
}
