import type { ReactNode } from 'react';
import { PAGES, type PageName, pageUrl } from '../../routes/pages.ts';
import type { SiteLocale } from '../../site.ts';

/** Markup in a page's texts: **bold**, `code`, and [links](target). */
const MARKS = /\*\*(.+?)\*\*|`([^`]+)`|\[([^\]]+)\]\(([^)\s]+)\)/g;

/**
 * Returns the URL of a link in a page's texts. Throws if the target is none of these:
 *
 * - the name of a page, with an optional query and hash (`faq#late`),
 * - a path of our site that is no page (`/api/docs`),
 * - another site's URL (`https://…`) or an e-mail address (`mailto:…`).
 */
export function targetOf(target: string, locale: SiteLocale): string {
  if (/^(\/(?!\/)|https:\/\/|mailto:)/.test(target)) return target;
  const [, name = '', rest = ''] = /^([A-Za-z]+)([?#].*)?$/.exec(target) ?? [];
  if (!Object.hasOwn(PAGES, name)) throw new Error(`A link leads to ${target}, which is no page`);
  return pageUrl(locale, name as PageName) + rest;
}

/** Renders one paragraph of a page's texts, with its markup. */
export function Rich({ text, locale }: { text: string; locale: SiteLocale }): ReactNode {
  const parts: ReactNode[] = [];
  let done = 0;
  for (const found of text.matchAll(MARKS)) {
    const [whole, bold, code, title, target] = found;
    parts.push(text.slice(done, found.index));
    if (bold !== undefined) parts.push(<b key={found.index}>{bold}</b>);
    else if (code !== undefined) parts.push(<code key={found.index}>{code}</code>);
    else {
      const to = targetOf(target ?? '', locale);
      parts.push(
        <a key={found.index} className="link" href={to} rel={to.startsWith('https:') ? 'noopener' : undefined}>
          {title}
        </a>,
      );
    }
    done = found.index + whole.length;
  }
  parts.push(text.slice(done));
  return parts;
}

/** Renders a text as paragraphs. Empty lines separate them. */
export function Paragraphs({ text, locale }: { text: string; locale: SiteLocale }): ReactNode {
  return text.split('\n\n').map((paragraph, index) => (
    <p key={index}>
      <Rich text={paragraph} locale={locale} />
    </p>
  ));
}

/** Returns the text without its markup, for descriptions and structured data. */
export const plain = (text: string): string =>
  text.replace(MARKS, (_, bold?: string, code?: string, title?: string) => bold ?? code ?? title ?? '');
