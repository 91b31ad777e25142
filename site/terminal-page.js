import { AnsiUp } from 'ansi_up';

const STYLE = `
  :root { color-scheme: light dark; --page: #f4f5f7; --window: #ffffff; --bar: #e9ecf1; --line: #d9dde3; --text: #15181d; --quiet: #545b66;
    --red: #b3261e; --green: #1a6b3c; --yellow: #7a5200; }
  @media (prefers-color-scheme: dark) { :root { --page: #0f1216; --window: #161b21; --bar: #1f252d; --line: #2e353f; --text: #eceef1;
    --quiet: #a9b0bb; --red: #ffb0a8; --green: #93d8ae; --yellow: #f0cf8a; } }
  body { margin: 0; padding: 32px; background: var(--page); }
  main { max-width: 1080px; margin: auto; border: 1px solid var(--line); border-radius: 12px; overflow: hidden; background: var(--window);
    color: var(--text); }
  header { display: flex; gap: 8px; padding: 14px 16px; background: var(--bar); border-bottom: 1px solid var(--line); }
  header i { width: 12px; height: 12px; border-radius: 50%; background: var(--line); }
  pre { margin: 0; padding: 20px 24px 24px; font: 15px/1.55 ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; white-space: pre-wrap; }
  .prompt, .ansi-dim { color: var(--quiet); }
  .ansi-red-fg { color: var(--red); } .ansi-green-fg { color: var(--green); } .ansi-yellow-fg { color: var(--yellow); }
`;

/** Returns a page that shows a command and what it wrote to a terminal, in colors that fit the scheme of the browser. */
export function terminalPage(command, output) {
  const converter = new AnsiUp();
  converter.use_classes = true;
  converter.faint_style = 'opacity:.72';
  const html = converter.ansi_to_html(output.replaceAll('\r', '').trimEnd());
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${command}</title><style>${STYLE}</style>
<main><header><i></i><i></i><i></i></header><pre><span class="prompt">$</span> ${command}\n${html}</pre></main></html>`;
}
