import { z } from 'zod';
import type { Auth } from '@latchkey/core';
import { anyone } from '../callers/anyone.js';
import type { ServedFile } from './file-response.js';
import { route, type Route, type RouteTexts } from './route.js';

interface FileSpec<Params extends z.ZodType> extends RouteTexts {
  path: string;
  offered: (auth: Auth) => boolean;
  params: Params;
  /** The media types of the files. */
  types: readonly string[];
  /** Seconds that the browser of a user may keep a file: its address never has another content. */
  keepSeconds: number;
  handle: (input: { auth: Auth; params: z.output<Params> }) => Promise<ServedFile>;
}

/** Creates a route whose response is a file. Any page that has its address shows it, and it runs nothing when it is opened. */
export function fileRoute<Params extends z.ZodType>({
  types,
  keepSeconds,
  handle,
  ...spec
}: FileSpec<Params>): Route {
  return {
    ...route({ ...spec, method: 'get', caller: anyone, reply: z.never(), handle: () => z.NEVER }),
    handle: handle as Route['handle'],
    fileTypes: types,
    cacheSeconds: keepSeconds,
  };
}
