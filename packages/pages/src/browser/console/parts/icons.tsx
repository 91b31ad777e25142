import type { JSX } from 'preact';

/** Paths on a grid of 24, drawn with a line of 1.75. */
const PATHS = {
  overview: 'M4 4h7v9H4zM13 4h7v5h-7zM13 13h7v7h-7zM4 17h7v3H4z',
  approvals: 'M4 12l5 5L20 6',
  users:
    'M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM2 21a7 7 0 0 1 14 0M16 3.5a4 4 0 0 1 0 7M18 14.5a7 7 0 0 1 4 6.5',
  sessions: 'M3 5h18v11H3zM8 20h8M12 16v4',
  invitations: 'M3 6h18v13H3zM3 7l9 7 9-7',
  companies: 'M4 21V4h10v17M14 9h6v12M2 21h20M8 8h2M8 12h2M8 16h2M17 13h.01M17 17h.01',
  audit: 'M6 3h9l4 4v14H6zM9 9h4M9 13h7M9 17h7',
  mail: 'M22 3L2 10l8 4 4 8zM22 3L10 14',
  webhooks: 'M9 8a3.5 3.5 0 1 1 5 3l3 5M8 12l-3 5a3 3 0 1 0 3 2h8a3 3 0 1 0 1-3M11 9l-3 5',
  health: 'M3 12h4l3-8 4 16 3-8h4',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5',
  keyboard: 'M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M8 14h8',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6L6 18',
  back: 'M15 5l-7 7 7 7',
  next: 'M9 5l7 7-7 7',
  refresh: 'M20 11a8 8 0 1 0-2 6M20 4v7h-7',
  check: 'M4 12l5 5L20 6',
  alert: 'M12 3l10 18H2zM12 10v5M12 18h.01',
  key: 'M8 18a5 5 0 1 1 4.6-7H22v4h-3v3h-4v-3h-2.4A5 5 0 0 1 8 18zM8 13h.01',
  phone: 'M7 2h10v20H7zM11 18h2',
  more: 'M8 10l4-4 4 4M8 14l4 4 4-4',
  up: 'M12 19V5M6 11l6-6 6 6',
  down: 'M12 5v14M6 13l6 6 6-6',
  plus: 'M12 5v14M5 12h14',
  download: 'M12 4v11M7 11l5 5 5-5M4 20h16',
} as const;

export type IconName = keyof typeof PATHS;

/** A picture beside a text that says the same. */
export const Icon = ({ name }: { name: IconName }): JSX.Element => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={PATHS[name]} />
  </svg>
);
