import type { Source } from '../../support/bench-program.js';
import type { PeerRun } from '../peer-run.js';

/** A source of groups with peers: it verifies their answers and returns one group for each number of connections. */
export type PeerSource = Source<PeerRun>;
