import { rmSync } from 'node:fs';
import type { Settings } from '@latchkey/core';
import type { SettingLayers, SettingsInspection } from '@latchkey/core/settings';
import type { Service } from '@latchkey/server';
import type { Call } from '../../runtime/call.js';
import { CommandError, EXIT } from '../../runtime/failure.js';
import { leaveSignalsToCommand } from '../../runtime/interruption.js';
import { withLogLevel } from '../../runtime/log-level.js';
import { guideOf, guideText } from './development-guide.js';

interface DevelopmentOptions {
  port?: number;
  fresh?: boolean;
}

export async function runDevelopment(call: Call<DevelopmentOptions>): Promise<void> {
  const [{ SettingsError }, { inspectSettings }, server, embedded] = await Promise.all([
    import('@latchkey/core'),
    import('@latchkey/core/settings'),
    import('@latchkey/server'),
    import('@latchkey/testing/embedded-postgres'),
  ]);
  const { fresh = false, json = false } = call.options;
  assertForDevelopment(inspectSettings(layersOf(call.options)), fresh);
  const scrapFolder = fresh ? embedded.makeTemporaryFolder() : undefined;
  const { faults, settings } = inspectSettings(layersOf(call.options, scrapFolder));
  leaveSignalsToCommand();
  const code = await server.runService({
    scrapFolder,
    settings: () => {
      if (!settings) throw new SettingsError(faults);
      return withLogLevel(settings, call.options);
    },
    logger: (complete) => server.createLogger(complete, json ? 'json' : 'text'),
    onReady: (service) => sayHowToTry(service, call),
  });
  if (scrapFolder !== undefined) rmSync(scrapFolder, { recursive: true, force: true });
  process.exit(code);
}

function layersOf({ port }: DevelopmentOptions, dataDir?: string): SettingLayers {
  return {
    options: { PORT: port?.toString(), DATA_DIR: dataDir },
    // People who try it want to register; approval is still needed.
    defaults: { PUBLIC_REGISTRATION_ENABLED: 'true' },
  };
}

/** Checks the options before anything is created or printed. Running the service reports invalid settings. */
function assertForDevelopment({ entries }: SettingsInspection, fresh: boolean): void {
  const given = (wanted: string) => entries.find(({ name }) => name === wanted);
  if (given('APP_ENV')?.value?.trim().toLowerCase() === 'production') {
    throw new CommandError(
      EXIT.failed,
      'APP_ENV is production, but this command is for development.',
      'Run: latchkey serve',
    );
  }
  if (fresh && given('DATABASE_URL')?.value !== null) {
    throw CommandError.usage(
      '--fresh uses its own database, but DATABASE_URL is set.',
      'Remove one of the two.',
    );
  }
}

function sayHowToTry({ auth, port }: Service, { options, output }: Call<DevelopmentOptions>): void {
  const guide = guideOf(auth, { port, folder: folderOf(auth.settings, options) });
  if (options.json === true) auth.logger.info(guide, 'how to try it');
  else output.answer({ view: guide, text: guideText(guide) });
}

/** Returns the DATA_DIR for commands in another terminal; undefined if they find it in their folder. */
const folderOf = ({ dataDir }: Settings, { fresh }: DevelopmentOptions): string | undefined =>
  fresh === true ? dataDir : undefined;
