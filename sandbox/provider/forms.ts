import type { FastifyInstance, FastifyReply } from 'fastify';
import { escape, page } from './page.ts';

/** Fields of a posted form; the last value of a repeated field. */
export type Form = Readonly<Record<string, string>>;

/** Makes a scope accept posted forms in UTF-8. */
export function acceptForms(scope: FastifyInstance): void {
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );
}

/** Returns hidden fields of a page's form. */
export const hidden = (fields: Form): string =>
  Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`)
    .join('');

/** Returns a form with one button. `action` is relative, since pages are also shown below another address. */
export const button = (action: string, words: string, fields: Form = {}): string =>
  `<form method="post" action="${escape(action)}">${hidden(fields)}<button>${escape(words)}</button></form>`;

/** Returns a list of terms with their values. */
export const facts = (rows: readonly (readonly [string, string])[]): string =>
  `<dl>${rows.map(([term, text]) => `<dt>${escape(term)}</dt><dd>${escape(text)}</dd>`).join('')}</dl>`;

/** Returns a table. Cells are HTML, so texts must be escaped. */
export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  `<table><thead><tr>${heads.map((head) => `<th>${escape(head)}</th>`).join('')}</tr></thead><tbody>${rows
    .map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
    .join('')}</tbody></table>`;

/** Sends a page. */
export const showPage = (reply: FastifyReply, provider: string, title: string, body: string, status = 200): FastifyReply =>
  reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(page(provider, title, body));
