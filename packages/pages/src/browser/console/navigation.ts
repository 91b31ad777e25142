import { shellMessages as shell } from '../../messages/en/console/shell.js';
import { appData } from '../app-data.js';
import type { IconName } from './parts/icons.js';
import type { Action } from './rights.js';

/** A view of the navigation. */
export interface Destination {
  path: string;
  name: string;
  icon: IconName;
  /** The key after `g`. */
  key: string;
  /** What the role must allow. */
  needs: Action;
}

const { nav, sections } = shell;

/** The views by section. A role sees those that it may use. */
export const SECTIONS = [
  {
    name: undefined,
    destinations: [{ path: '', name: nav.overview, icon: 'overview', key: 'o', needs: 'read' }],
  },
  {
    name: sections.people,
    destinations: [
      { path: 'approvals', name: nav.approvals, icon: 'approvals', key: 'a', needs: 'approve' },
      { path: 'users', name: nav.users, icon: 'users', key: 'u', needs: 'read' },
      { path: 'sessions', name: nav.sessions, icon: 'sessions', key: 's', needs: 'read' },
    ],
  },
  {
    name: sections.access,
    destinations: [
      { path: 'companies', name: nav.companies, icon: 'companies', key: 'c', needs: 'read' },
      { path: 'invitations', name: nav.invitations, icon: 'invitations', key: 'i', needs: 'operate' },
    ],
  },
  {
    name: sections.operations,
    destinations: [
      { path: 'audit', name: nav.audit, icon: 'audit', key: 'l', needs: 'operate' },
      { path: 'mail', name: nav.mail, icon: 'mail', key: 'm', needs: 'operate' },
      ...(appData.webhooks
        ? [{ path: 'webhooks', name: nav.webhooks, icon: 'webhooks', key: 'w', needs: 'operate' } as const]
        : []),
      { path: 'health', name: nav.health, icon: 'health', key: 'h', needs: 'operate' },
    ],
  },
] as const satisfies readonly { name: string | undefined; destinations: readonly Destination[] }[];

/** The first part of the path of a view. */
export type ConsolePath = (typeof SECTIONS)[number]['destinations'][number]['path'];

export const DESTINATIONS = SECTIONS.flatMap(({ destinations }): readonly Destination[] => destinations);
