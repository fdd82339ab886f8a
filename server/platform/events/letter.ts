// The layout of all letters, as text and as HTML.

import { type Locale, manyLines, oneLine, say } from '@kurs/contract';

/** Content of a letter. */
export interface LetterContent {
  readonly locale: Locale;
  /** Sender: the desk's name. */
  readonly name: string;
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** A one-time code, shown large. */
  readonly code?: string;
  readonly facts?: readonly (readonly [label: string, value: string])[];
  /** Button of the letter. */
  readonly link?: { readonly url: string; readonly words: string };
  /** Small print at the end of the letter. */
  readonly keep: string;
}

/** Returns the translation of `key` in the letter's language. `blanks`: values for the translation's placeholders. */
export type LetterWords = (key: string, blanks?: Readonly<Record<string, string>>) => string;

/**
 * Returns a function for the texts of letters: those under `mail` in the translations, or under `mail.<part>`. `always`: values
 * for placeholders of all these texts. The function throws for a key without a text.
 */
export function letterWords(locale: Locale, part = '', always: Readonly<Record<string, string>> = {}): LetterWords {
  return (key, blanks = {}) => {
    const path = ['mail', part, key].filter(Boolean).join('.');
    const found = say(locale, path, { ...always, ...blanks });
    if (found === undefined) throw new Error(`No words for ${path} in ${locale}`);
    return found;
  };
}

/**
 * Returns a letter as plain text and as HTML. Removes characters from people's texts that could move or hide the text around
 * them.
 */
export function writeLetter(said: LetterContent): { subject: string; text: string; html: string } {
  const content = {
    ...said,
    name: oneLine(said.name),
    subject: oneLine(said.subject),
    paragraphs: said.paragraphs.map(manyLines),
    facts: (said.facts ?? []).map(([label, value]) => [label, oneLine(value)] as const),
  };
  const { name, subject, paragraphs, code, facts, link, keep } = content;
  const text = [
    ...paragraphs.flatMap((paragraph) => [paragraph, '']),
    ...(code ? [code, ''] : []),
    ...(facts.length > 0 ? [...facts.map(([label, value]) => `${label}: ${value}`), ''] : []),
    ...(link ? [`${link.words}: ${link.url}`, ''] : []),
    keep,
    '',
    name,
  ].join('\n');
  return { subject, text, html: page(content) };
}

/** Returns the HTML of a letter. Mail programs support little CSS, so it uses plain attributes and one column. */
function page({ locale, subject, paragraphs, code, facts = [], link, keep, name }: LetterContent): string {
  const rows = facts.map(
    ([label, value]) =>
      `<tr><td style="padding:6px 0;color:#656b66">${escape(label)}</td><td align="right" style="padding:6px 0;overflow-wrap:anywhere"><b>${escape(value)}</b></td></tr>`,
  );
  const said = paragraphs.map((paragraph) => `<p style="margin:0 0 16px">${escape(paragraph)}</p>`);
  const shownCode = code ? `<p style="font:700 32px/40px monospace;letter-spacing:.2em;margin:16px 0">${escape(code)}</p>` : '';
  const table =
    rows.length === 0
      ? ''
      : `<table role="presentation" width="100%" style="border-top:1px dashed #d5d4cd;margin:16px 0">${rows.join('')}</table>`;
  const button =
    link === undefined
      ? ''
      : `<p style="margin:24px 0"><a href="${escape(link.url)}" style="display:inline-block;background:#036666;color:#fff;text-decoration:none;padding:12px 24px;border-radius:10px;font-weight:600">${escape(link.words)}</a></p>`;
  return `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><title>${escape(subject)}</title></head>
<body style="margin:0;background:#fafaf7;color:#101616;font:16px/24px Arial,sans-serif"><table role="presentation" width="100%"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" style="max-width:520px;background:#fff;border:1px solid #e7e5df;border-radius:14px"><tr><td style="padding:32px">
<p style="margin:0 0 16px;font:600 20px/28px Georgia,serif;color:#036666">${escape(name)}</p><h1 style="margin:0 0 12px;font:600 24px/30px Georgia,serif">${escape(subject)}</h1>
${said.join('')}${shownCode}${table}${button}
<p style="margin:0;color:#656b66;font-size:13px;line-height:18px">${escape(keep)}</p></td></tr></table></td></tr></table></body></html>`;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] as string);
