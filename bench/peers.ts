import { directVersions, installFolder } from '../tools/shared/installed-folder.mjs';
import { guards } from './peers/groups/guards.js';
import { loginStorm } from './peers/groups/login-storm.js';
import { logins } from './peers/groups/logins.js';
import type { PeerSource } from './peers/groups/peer-source.js';
import { refreshes } from './peers/groups/refreshes.js';
import { sessionReads } from './peers/groups/session-reads.js';
import { starts } from './peers/groups/starts.js';
import { PeerRun } from './peers/peer-run.js';
import { runProgram } from './support/bench-program.js';

// Measures the service beside other libraries that do the same work, in the same run. bench/peers/README.md says how each
// is set up and what is not the same.
const SOURCES: Readonly<Record<string, PeerSource>> = {
  sessions: sessionReads,
  login: logins,
  refresh: refreshes,
  guard: guards,
  storm: loginStorm,
  start: starts,
};

const ABOUT = `Measures the service and other libraries in turns and prints ratios with their goals. The libraries are installed into
bench/peers/node_modules on first use. bench/peers/README.md says how each is set up and what is not the same.`;

await runProgram({
  script: 'bench:peers',
  about: ABOUT,
  sources: SOURCES,
  defaults: { rounds: 4, seconds: 2, connections: [4, 50] },
  open: () => {
    installFolder('bench/peers', 'the libraries to compare with, about 45 MB,');
    const versions = Object.entries(directVersions('bench/peers')).map(
      ([name, version]) => `${name} ${version}`,
    );
    console.log(versions.join(', '));
    return PeerRun.open();
  },
});
