const end = (): void => process.exit(130);

/** Ctrl-C ends a command where it stands. */
export function endOnInterrupt(): void {
  process.once('SIGINT', end);
}

/** For a command that stops by itself when it is told to: signals are its own business from now on. */
export function leaveSignalsToCommand(): void {
  process.off('SIGINT', end);
}

/** What a command ends with that was told to stop and has done so. */
class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/**
 * Work that goes on until Ctrl-C, and then has time to finish; a second Ctrl-C ends it where it stands.
 * @throws Interrupted once the work is over because of that.
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
