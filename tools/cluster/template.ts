import fs from 'node:fs';
import path from 'node:path';
import { root } from '../shared/repository-files.mjs';

/** Returns the text with each `${NAME}` replaced. @throws Error for a name without a value. */
export function fillTemplate(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\$\{([A-Z_]+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The template needs a value for ${name}.`);
    return String(value);
  });
}

/** Returns the configuration file of `deploy/cluster`, with its values filled in. */
export function configuration(name: string, values: Readonly<Record<string, string | number>>): string {
  return fillTemplate(fs.readFileSync(path.join(root, 'deploy/cluster', name), 'utf8'), values);
}
