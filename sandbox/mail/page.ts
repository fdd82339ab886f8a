import type { Received } from './mailbox.ts';

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 60rem; margin: 0 auto; padding: 1rem; }
  form { display: flex; gap: .5rem; flex-wrap: wrap; align-items: end; margin-block: 1rem; }
  label { display: grid; gap: .25rem; flex: 1 1 16rem; }
  input, button { font: inherit; padding: .5rem .75rem; }
  details { border-block-start: 1px solid color-mix(in srgb, currentColor 25%, transparent); padding-block: .75rem; }
  summary { cursor: pointer; overflow-wrap: anywhere; }
  small { display: block; opacity: .75; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; }
  iframe { width: 100%; height: 36rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); background: #fff; }
`;

const SHOWN = 100;

/** Returns the inbox page for people, at /sandbox/mail. Mails are shown in frames without scripts. */
export function mailPage(mails: readonly Received[], to: string): string {
  const rows = mails.slice(0, SHOWN).map(
    (mail, index) => `<details${index === 0 ? ' open' : ''}>
<summary>${escape(mail.subject || '(no subject)')}<small>to ${escape(mail.to)}, <time datetime="${escape(mail.at)}">${escape(mail.at.slice(0, 19).replace('T', ' '))} UTC</time></small></summary>
${mail.html === '' ? `<pre>${escape(mail.text)}</pre>` : frame(mail)}
</details>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>Sandbox mail</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Sandbox mail</h1>
<p>Every mail that this sandbox sent. None of them left this machine.</p>
<form method="get"><label>Address<input name="to" type="email" value="${escape(to)}" placeholder="everybody"></label><button>Show</button></form>
${rows.length > 0 ? rows.join('\n') : '<p>No mail yet.</p>'}
</main>
</body>
</html>
`;
}

function frame(mail: Received): string {
  const source = `<base target="_top">${mail.html}`;
  return `<iframe title="${escape(mail.subject)}" sandbox="allow-top-navigation-by-user-activation" srcdoc="${escape(source)}"></iframe>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
