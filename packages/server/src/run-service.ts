import type { Logger } from 'pino';
import { readSettings, SettingsError, type Settings } from '@latchkey/core';
import { createLogger } from './logger.js';
import { startFailureText } from './start-failure.js';
import { startService, type Service } from './start.js';

interface RunOptions {
  /** Reads the settings. Defaults to those of the environment and the `.env` file. */
  settings?: () => Settings;
  /** Creates the logger. Defaults to the one of the settings. */
  logger?: (settings: Settings) => Promise<Logger>;
  /** Called once, when requests are accepted. */
  onReady?: (service: Service) => void;
  /** Deleted when the embedded database ends, for any reason. It is `DATA_DIR` or a folder above it. */
  scrapFolder?: string | undefined;
}

/**
 * Runs the service until SIGTERM or SIGINT; a second signal ends the process with 1 at once. Throws nothing.
 * @returns the exit code: 0 after an orderly stop, 1 if the settings are invalid or the service failed.
 * @example
 * ```ts
 * const settings = () => readSettings({ PORT: 'http' });
 * await runService({ settings }); // → 1
 * ```
 */
export async function runService(options: RunOptions = {}): Promise<number> {
  const settings = readOrExplain(options.settings ?? readSettings);
  if (!settings) return 1;
  const logger = await (options.logger ?? createLogger)(settings);
  const signalled = firstSignal();
  let service: Service | undefined;
  // Until the service has started, a signal has nothing to wait for.
  void signalled.then(() => service ?? process.exit(0));
  try {
    service = await startService(settings, logger, options);
    options.onReady?.(service);
    const signal = await signalled;
    const { shutdownDelay, shutdownTimeout } = settings;
    logger.info({ signal, shutdownDelay, shutdownTimeout }, `stopping on ${signal}`);
    await service.stop();
    return 0;
  } catch (error) {
    const text = startFailureText(error);
    if (text !== undefined) process.stderr.write(`${text}\n`);
    else logger.fatal({ err: error }, 'the service could not go on');
    return 1;
  }
}

function readOrExplain(read: () => Settings): Settings | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return undefined;
  }
}

/**
 * Resolves at the first signal; a second one ends the process at once. The listeners stay: between removing one and adding
 * another, a second signal would end the process as the system does by default, without an exit code.
 */
function firstSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isStopping = false;
    const onSignal = (signal: NodeJS.Signals) => {
      if (isStopping) process.exit(1);
      isStopping = true;
      resolve(signal);
    };
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  });
}
