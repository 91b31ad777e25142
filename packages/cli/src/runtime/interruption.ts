const end = (): void => process.exit(130);

/** Makes Ctrl-C end a command at once. */
export function endOnInterrupt(): void {
  process.once('SIGINT', end);
}

/** Leaves signals to a command that shuts down by itself. */
export function leaveSignalsToCommand(): void {
  process.off('SIGINT', end);
}

/** The error of a command that stopped after Ctrl-C. */
class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/**
 * Runs work that Ctrl-C asks to finish; a second Ctrl-C ends it at once.
 * @throws Interrupted once the work has ended because of that.
 */
export async function untilInterrupted(work: (interruption: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  const stop = (): void => {
    endOnInterrupt();
    controller.abort();
  };
  leaveSignalsToCommand();
  process.once('SIGINT', stop);
  try {
    await work(controller.signal);
  } finally {
    process.off('SIGINT', stop);
  }
  if (controller.signal.aborted) throw new Interrupted();
}
