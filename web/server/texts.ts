import type { SiteLocale } from '../site.ts';
import { m } from '../features/words.ts';
import { escape } from './document.ts';

const FILES = import.meta.glob<string>('../content/*/*.md', { query: '?raw', import: 'default', eager: true });
const FILE_OF = { en: 'en-US', ru: 'ru-RU' } as const;

/**
 * A long text of `content/` as HTML. `{name}` and the like are filled in. Our Markdown is small: a title, a line with
 * version and date below it, `##` sections, paragraphs, lists, `**bold**` and links. Throws for a text that is missing.
 */
export function readText(folder: string, locale: SiteLocale, params: Readonly<Record<string, string>>): string {
  const source = FILES[`../content/${folder}/${FILE_OF[locale]}.md`];
  if (source === undefined) throw new Error(`There is no text ${folder} in ${locale}`);
  const filled = source.replace(/\{([a-z]+)\}/g, (whole, name: string) => params[name] ?? whole);
  const [title = '', dated = '', ...blocks] = filled.trim().split(/\n{2,}/);
  const sections = blocks.filter((block) => block.startsWith('## ')).map((block) => block.slice(3).split('\n')[0] ?? '');
  const contents = sections.map((section, index) => `<a href="#s${index + 1}">${inline(section)}</a>`).join('');
  let section = 0;
  const body = blocks.map((block) => {
    if (block.startsWith('## ')) return `<h2 id="s${(section += 1)}">${inline(block.slice(3))}</h2>`;
    if (block.startsWith('- '))
      return `<ul>${block
        .split(/\n(?=- )/)
        .map((line) => `<li>${inline(line.slice(2))}</li>`)
        .join('')}</ul>`;
    return `<p>${inline(block)}</p>`;
  });
  return `<header><h1>${inline(title.replace(/^# /, ''))}</h1><p>${inline(dated)}</p></header><nav aria-label="${escape(m.text_contents())}"><b>${escape(m.text_contents())}</b>${contents}</nav><article>${body.join('')}</article>`;
}

/** The day on which a long text came into force, as its second line says: `2026-11-20`. */
export function dateOfText(folder: string): string | undefined {
  const written = /^# .*\n+.*· (\w+ \d+, \d+)/.exec(FILES[`../content/${folder}/${FILE_OF.en}.md`] ?? '')?.[1];
  return written === undefined ? undefined : new Date(`${written} UTC`).toISOString().slice(0, 10);
}

function inline(text: string): string {
  return escape(text.replace(/\n/g, ' '))
    .replace(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
    .replace(/\[(.+?)\]\((\/[^)\s]*|https:\/\/[^)\s]*)\)/g, '<a href="$2">$1</a>');
}
