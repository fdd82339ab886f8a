const SPECIAL: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes a text for HTML, including attributes. */
export const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => SPECIAL[sign] ?? sign);

/**
 * Returns a provider's page, which states that no real money moves. `body` is HTML with escaped texts. It needs no scripts, so it
 * works in any browser and under any policy.
 */
export function page(provider: string, title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escape(title)} · ${escape(provider)} sandbox</title><style>${STYLE}</style></head>
<body><main><header><strong>${escape(provider)}</strong><span>sandbox: no real money</span></header>
<h1>${escape(title)}</h1>
${body}
</main></body></html>`;
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; padding: 1.5rem 1rem; background: Canvas; color: CanvasText; }
main { max-width: 32rem; margin: 0 auto; border: 1px solid GrayText; border-radius: 8px; padding: 1.25rem; }
header { display: flex; justify-content: space-between; gap: 1rem; border-bottom: 1px solid GrayText; padding-bottom: .75rem; }
h1 { font-size: 1.4rem; margin: 1rem 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 0 0 1rem; }
dt { color: GrayText; } dd { margin: 0; overflow-wrap: anywhere; }
form { margin: 0 0 .75rem; } label { display: block; margin: 0 0 .75rem; }
input { font: inherit; width: 100%; box-sizing: border-box; padding: .5rem; margin-top: .25rem; }
button { font: inherit; padding: .6rem 1rem; min-height: 44px; width: 100%; cursor: pointer; }
table { width: 100%; border-collapse: collapse; } td, th { text-align: left; padding: .35rem .5rem .35rem 0; border-bottom: 1px solid GrayText; overflow-wrap: anywhere; }
.error { border: 1px solid; padding: .5rem .75rem; }
`;
