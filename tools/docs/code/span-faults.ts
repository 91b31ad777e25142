import type { Fault } from './fault.js';
import { namedFileFault } from './named-files.js';
import { codeSpans, type Page } from './page.js';
import { isOurs, isServed } from './service-address.js';
import { commandFaults, scriptNames } from './shell-blocks.js';
import { shellCommands } from './shell-commands.js';

/** Returns the files, routes and commands that the text names in backticks and that do not exist. */
export function spanFaults(root: string, pages: readonly Page[]): Fault[] {
  const scripts = scriptNames(root);
  return pages.flatMap((page) =>
    codeSpans(page).flatMap(({ span, line }) => {
      const message = namedFileFault(root, span) ?? routeFault(span) ?? commandFault(root, scripts, span);
      return message === undefined ? [] : [{ file: page.file, line, message }];
    }),
  );
}

function routeFault(span: string): string | undefined {
  const [, method, path] = /^(GET|POST|PUT|PATCH|DELETE) (\/\S*)$/.exec(span) ?? [];
  if (method === undefined || path === undefined || path.includes('…') || !isOurs(path)) return undefined;
  return isServed(method, path) ? undefined : `nothing is served at ${method} ${path}`;
}

/** The text may speak of a group of commands, and leave values out. */
function commandFault(root: string, scripts: ReadonlySet<string>, span: string): string | undefined {
  if (!/^(npx latchkey|latchkey|npm run) \S/.test(span) || /[…<]/.test(span)) return undefined;
  return shellCommands(span)
    .flatMap((command) => commandFaults(root, scripts, command))
    .find((fault) => !/\(none given\)$|argument missing$/.test(fault));
}
