import { access } from './groups/access.js';
import { apiKeys } from './groups/api-keys.js';
import { deliveries } from './groups/deliveries.js';
import { express } from './groups/express.js';
import type { GroupSource } from './groups/group-source.js';
import { guards } from './groups/guards.js';
import { hono } from './groups/hono.js';
import { listeners } from './groups/listeners.js';
import { me } from './groups/me.js';
import { passwords, spareCore } from './groups/passwords.js';
import { refresh } from './groups/refresh.js';
import { startup } from './groups/startup.js';
import { storm } from './groups/storm.js';
import { verifier } from './groups/verifier.js';
import { runProgram } from './support/bench-program.js';
import { BenchEnvironment } from './support/environment.js';

// Measures the service against baselines in the same run and prints ratios. Absolute figures depend on the machine and
// its load; ratios are comparable between machines.
const SOURCES: Readonly<Record<string, GroupSource>> = {
  me,
  express,
  access,
  guards,
  'api-keys': apiKeys,
  hono,
  verifier,
  passwords,
  'spare-core': spareCore,
  refresh,
  storm,
  deliveries,
  listeners,
  startup,
};

const ABOUT = `Measures the service and baselines in turns and prints ratios with their goals. Every server has a process of its
own, and so has the load. Rounds alternate, in the opposite order every other time; the medians of the quiet rounds
count. A round is noisy if the baseline's throughput is more than 25 % from its median, other programs used more than
10 % of the machine, or its host took as much; noisy rounds are repeated, at most half as many again. CPU times
are microseconds per request. Tables go to standard output, progress to standard error.`;

await runProgram({
  script: 'bench',
  about: ABOUT,
  sources: SOURCES,
  defaults: { rounds: 5, seconds: 3, connections: [1, 4, 50, 200] },
  open: () => BenchEnvironment.open(),
});
