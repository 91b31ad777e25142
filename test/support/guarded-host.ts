import type { OutgoingHttpHeaders } from 'node:http';
import type { Express } from 'express';
import type { VerifyingAuth } from '@latchkey/core';
import { createGuards, findAuth, getAccess, type Guards } from '@latchkey/express-adapter';
import { startHostApp, type HostApp } from './host-app.js';

/** The requests that handlers of the host app ran for, by path. A guard that rejects keeps its handler from running. */
export interface GuardedHost extends HostApp {
  ran: string[];
}

/** Mounts a path behind guards; its handler returns the authenticated caller. */
export type Mount = (path: string, ...guards: Guards['requireAuth'][]) => void;

/** A host app whose routes return the caller that a guard let in, and their access. */
export async function startGuardedHost(
  auth: VerifyingAuth,
  routes: (mount: Mount, guards: Guards, app: Express) => void,
  options?: Parameters<typeof createGuards>[1],
): Promise<GuardedHost> {
  const ran: string[] = [];
  const host = await startHostApp((app) => {
    const mount: Mount = (path, ...guards) => {
      app.all(path, ...guards, (request, response) => {
        ran.push(request.path);
        const access = accessOf(request);
        response.json({ success: true, data: { userId: findAuth(request)?.userId ?? null, access } });
      });
    };
    routes(mount, createGuards(auth, options), app);
  });
  return { ...host, ran };
}

function accessOf(request: Parameters<typeof getAccess>[0]): unknown {
  try {
    return getAccess(request);
  } catch {
    return null;
  }
}

/** Node's types know of no second Authorization header; clients do. */
export const twice = (name: string, value: string): OutgoingHttpHeaders => ({ [name]: [value, value] });
