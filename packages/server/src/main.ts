import { readSettings, SettingsError, type Settings } from '@latchkey/core';
import { createLogger } from './logger.js';
import { startService, type Service } from './start.js';

await main();

async function main(): Promise<void> {
  const settings = settingsOrExit();
  const logger = await createLogger(settings);
  const signalled = firstSignal();
  let service: Service | undefined;
  // Until the service stands, a signal has nothing to wait for.
  void signalled.then(() => service ?? process.exit(0));
  try {
    service = await startService(settings, logger);
    logger.info(`stopping on ${await signalled}`);
    await stopOnce(service);
    process.exit(0);
  } catch (error) {
    logger.fatal({ err: error }, 'the service could not go on');
    process.exit(1);
  }
}

function settingsOrExit(): Settings {
  try {
    return readSettings();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

function firstSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(signal));
  });
}

/** A second signal means now. */
async function stopOnce(service: Service): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  await service.stop();
}
