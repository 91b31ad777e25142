import type { Auth } from '@latchkey/core';
import { markup, type Markup } from './markup.js';

/** Returns the style of the development inbox, in the colours of the brand. */
export const devMailStyle = ({ light, dark }: Auth['brandColours']): Markup => markup`
:root { color-scheme: light dark; --accent: ${light.accent}; --page: #f4f5f7; --card: #fff; --text: #15181d; --quiet: #545b66; --line: #d9dde3; }
@media (prefers-color-scheme: dark) {
  :root { --accent: ${dark.accent}; --page: #0f1216; --card: #1b2027; --text: #eceef1; --quiet: #a9b0bb; --line: #2e353f; }
}
*, *::before, *::after { box-sizing: border-box; }
body { max-width: 54rem; margin: 0 auto; padding: 1.5rem 1rem; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { margin: 0 0 0.5rem; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 2rem 0 0.5rem; font-size: 1.125rem; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.bar { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.25rem 1.5rem; margin: 0 0 1rem; }
.bar a { padding: 0.25rem 0; }
.quiet, footer { color: var(--quiet); font-size: 0.875rem; }
.mails { margin: 0; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--card); }
.mails li { padding: 0.75rem 1rem; }
.mails li + li { border-top: 1px solid var(--line); }
.mails a { display: inline-block; padding: 0.125rem 0; font-weight: 600; }
.mails p { margin: 0; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.25rem 1rem; margin: 0; }
dt { color: var(--quiet); }
dd { margin: 0; }
iframe { display: block; width: 100%; height: 38rem; border: 1px solid var(--line); border-radius: 0.5rem; background: Canvas; }
pre { margin: 0; padding: 1rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--card); white-space: pre-wrap; font: 0.875rem/1.5 ui-monospace, monospace; }
footer { margin-top: 2rem; }
@media (max-width: 30rem) { dl { grid-template-columns: minmax(0, 1fr); gap: 0; } dd { margin: 0 0 0.5rem; } }
`;
