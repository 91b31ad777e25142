import type { Logger } from '../kernel/logger.js';
import { moduleDifference } from './module-difference.js';

export interface ShadowCounts {
  /** Number of compared answers. */
  compared: number;
  /** Number of answers that ENFORCED would have changed. */
  different: number;
}

/** One answer under SHADOW, with both sets of modules. */
interface ShadowAnswer {
  companyId: string;
  userId: string;
  legacy: readonly string[];
  enforced: readonly string[];
}

/** Measures the effect of a move from SHADOW to ENFORCED before it happens: in the log and as counts. */
export class ShadowComparison {
  readonly #logger: Logger;
  #compared = 0;
  #different = 0;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** The counts of this process, since its start. */
  get counts(): ShadowCounts {
    return { compared: this.#compared, different: this.#different };
  }

  record({ companyId, userId, legacy, enforced }: ShadowAnswer): void {
    this.#compared++;
    const { lost, gained } = moduleDifference(legacy, enforced);
    if (lost.length === 0 && gained.length === 0) return;
    this.#different++;
    this.#logger.info({ companyId, userId, lost, gained }, 'ENFORCED would change the modules of a member.');
  }
}
