/** An invalid option of a script; the message says what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Prints a mistake in the command line, without a stack, and sets exit code 2. */
export async function reportUsageErrors(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    process.exitCode = 2;
  }
}
