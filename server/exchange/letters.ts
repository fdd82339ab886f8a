import { type Tokens, type Tx, mail } from '../platform/index.ts';
import { composeLetter } from './compose-letter.ts';
import type { LetterKind } from './letter-kind.ts';
import type { StoredOrder } from './order-store.ts';

/** What letters say of the desk. */
export interface Sender {
  readonly tokens: Tokens;
  /** The desk's name and the address of its site. */
  readonly name: string;
  readonly url: string;
}

/**
 * Queues a letter about an order in its customer's language. `once` tells letters of one kind apart: the same order,
 * kind and `once` are mailed once. `code` is the one-time code of such a letter.
 */
export async function queueLetter(
  tx: Tx,
  sender: Sender,
  order: StoredOrder,
  kind: LetterKind,
  { once = '', code }: { once?: string; code?: string } = {},
): Promise<void> {
  const { subject, text, html } = writeLetter(sender, order, kind, code);
  const key = `order ${order.view.id} ${kind} ${once}`.trim();
  await mail.queue(tx, { to: order.email, locale: order.locale, subject, text, html, key });
}

/** The address of an order's page, with its secret. */
export function linkTo({ tokens, url }: Sender, order: StoredOrder): string {
  const token = tokens.make('order', order.view.id, order.tokenVersion);
  return `${url}/${order.locale === 'ru' ? 'Ru' : 'En'}/order?id=${order.number}&token=${token}`;
}

/** A letter as it is sent: its words, and the secret link that they lead to. */
function writeLetter(
  sender: Sender,
  order: StoredOrder,
  kind: LetterKind,
  code: string | undefined,
): { subject: string; text: string; html: string } {
  const { subject, paragraphs, facts, open, keep } = composeLetter(order, kind, code);
  const link = linkTo(sender, order);
  const text = [
    ...paragraphs.flatMap((paragraph) => [paragraph, '']),
    ...(code ? [code, ''] : []),
    ...facts.map(([label, value]) => `${label}: ${value}`),
    '',
    `${open}: ${link}`,
    '',
    keep,
    '',
    sender.name,
  ].join('\n');
  return {
    subject,
    text,
    html: page({ locale: order.locale, subject, paragraphs, code, facts, link, open, keep, name: sender.name }),
  };
}

interface Page {
  readonly locale: string;
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly code: string | undefined;
  readonly facts: readonly (readonly [string, string])[];
  readonly link: string;
  readonly open: string;
  readonly keep: string;
  readonly name: string;
}

/** One template for all letters. Mail programs know little CSS: plain attributes and one column. */
function page({ locale, subject, paragraphs, code, facts, link, open, keep, name }: Page): string {
  const rows = facts.map(
    ([label, value]) =>
      `<tr><td style="padding:6px 0;color:#656b66">${escape(label)}</td><td align="right" style="padding:6px 0;overflow-wrap:anywhere"><b>${escape(value)}</b></td></tr>`,
  );
  const said = paragraphs.map((paragraph) => `<p style="margin:0 0 16px">${escape(paragraph)}</p>`);
  const shownCode = code ? `<p style="font:700 32px/40px monospace;letter-spacing:.2em;margin:16px 0">${escape(code)}</p>` : '';
  return `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><title>${escape(subject)}</title></head>
<body style="margin:0;background:#fafaf7;color:#101616;font:16px/24px Arial,sans-serif"><table role="presentation" width="100%"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" style="max-width:520px;background:#fff;border:1px solid #e7e5df;border-radius:14px"><tr><td style="padding:32px">
<p style="margin:0 0 16px;font:600 20px/28px Georgia,serif;color:#036666">${escape(name)}</p><h1 style="margin:0 0 12px;font:600 24px/30px Georgia,serif">${escape(subject)}</h1>
${said.join('')}${shownCode}<table role="presentation" width="100%" style="border-top:1px dashed #d5d4cd;margin:16px 0">${rows.join('')}</table>
<p style="margin:24px 0"><a href="${escape(link)}" style="display:inline-block;background:#036666;color:#fff;text-decoration:none;padding:12px 24px;border-radius:10px;font-weight:600">${escape(open)}</a></p>
<p style="margin:0;color:#656b66;font-size:13px;line-height:18px">${escape(keep)}</p></td></tr></table></td></tr></table></body></html>`;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] as string);
