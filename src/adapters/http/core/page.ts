// The layout of the HTML pages of the server: no scripts, no external resources.

export const PAGE_HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
} as const;

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8882; --accent: #0a6cbd; }
@media (prefers-color-scheme: dark) { :root { --accent: #6cb8ff; } }
* { box-sizing: border-box; }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.9rem; margin: 0 0 .25rem; } h2 { margin: 2.5rem 0 .5rem; font-size: 1.3rem; } h3 { margin: 0; font-size: 1.05rem; }
a { color: var(--accent); } code, pre { font: .875em/1.5 ui-monospace, monospace; }
pre { background: var(--soft); padding: .75rem 1rem; border-radius: .5rem; overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; } th, td { text-align: left; vertical-align: top; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); }
.soft { opacity: .75; }
nav a { margin-right: 1rem; }`;

export function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body>${body}</body></html>`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
