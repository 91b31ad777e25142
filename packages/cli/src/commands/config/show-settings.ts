import type { InspectedSetting, SettingsInspection } from '@latchkey/core/settings';
import type { Call } from '../../runtime/call.js';
import { renderSections } from '../../runtime/sections.js';
import type { Column } from '../../runtime/table.js';
import type { ConfigOptions } from './config-options.js';

/** One entry of `--json`. */
interface SettingView {
  name: string;
  value: string | null;
  origin: string;
  secret: boolean;
  isDefault: boolean;
}

export async function showSettings({
  options,
  output,
}: Call<ConfigOptions & { onlySet?: boolean }>): Promise<void> {
  const { inspectSettings, settingGroups } = await import('@latchkey/core/settings');
  const inspection = inspectSettings({ envFile: options.envFile });
  const wanted = inspection.entries.filter((entry) => options.onlySet !== true || isSet(entry));
  const entries = settingGroups.flatMap((group) => wanted.filter((entry) => entry.group === group));
  const views = entries.map(toView);
  output.report({
    view: views,
    items: views,
    fields: ['name', 'value', 'origin'],
    id: ({ name }) => name,
    forPeople: (space) => renderSections(entries, ({ group }) => group, columnsOf(inspection), space),
  });
  if (inspection.faults.length > 0)
    output.note('Some settings are missing or invalid. See: latchkey config check');
}

const isSet = ({ origin }: InspectedSetting): boolean => origin !== 'default' && origin !== 'derived';

const toView = (entry: InspectedSetting): SettingView => ({
  name: entry.name,
  value: entry.value,
  origin: entry.origin === 'file' ? `file:${entry.path ?? ''}` : entry.origin,
  secret: entry.secret,
  isDefault: entry.isDefault,
});

function columnsOf({ faults }: SettingsInspection): Column<InspectedSetting>[] {
  const faulty = new Set(faults.map(({ name }) => name));
  return [
    { title: 'NAME', text: ({ name }) => name },
    {
      title: 'VALUE',
      text: ({ value, whenUnset }) => value ?? `(${whenUnset.replaceAll('`', '')})`,
      whenNarrow: 'shrink',
      style: (entry) => (faulty.has(entry.name) ? 'red' : entry.isDefault ? 'dim' : undefined),
    },
    { title: 'ORIGIN', text: originText, style: () => 'dim' },
  ];
}

function originText({ name, origin, path }: InspectedSetting): string {
  if (origin === 'file') return `${name}_FILE=${path ?? ''}`;
  if (origin === '.env') return path ?? '.env file';
  return origin;
}
