import type { SiteLocale } from '../../site.ts';
import { type Params, filled } from './page-words.ts';

const FILES = import.meta.glob<string>('../../content/*/*/*.md', { query: '?raw', import: 'default', eager: true });
const FILE_OF = { en: 'en-US', ru: 'ru-RU' } as const;

/** A version of a long text: each is a folder, `content/<text>/<version>/`, and none is ever changed or removed. */
export interface TextVersion {
  readonly version: number;
  /** The day from which it is in force, `2026-11-23`. */
  readonly date: string;
  /** What is new in it, in a sentence. */
  readonly changes: string;
}

/** What one number stands for: a paragraph, and the points of a list that belongs to it. */
export interface Clause {
  readonly text: string;
  readonly points: readonly string[];
}

export interface TextSection {
  /** The same in both languages; links lead to it. */
  readonly id: string;
  readonly title: string;
  /** The section in one sentence. */
  readonly summary?: string;
  readonly clauses: readonly Clause[];
}

export interface LongText extends TextVersion {
  readonly title: string;
  readonly sections: readonly TextSection[];
}

/**
 * Reads our small Markdown: a title, then `date · what is new`, then `## sections {#id}`, each with a summary (`> …`) and
 * clauses: paragraphs, and lists that belong to the paragraph before. Blanks are left as they are. Throws for any other form.
 */
export function parseText(source: string, version: number): LongText {
  const [title = '', dated = '', ...blocks] = source.trim().split(/\n{2,}/);
  const [, date = '', changes = ''] = /^(\d{4}-\d{2}-\d{2}) · (.+)$/.exec(dated) ?? [];
  if (!title.startsWith('# ') || date === '')
    throw new Error(`A text begins with its title and date, not with ${title} ${dated}`);
  const sections: { id: string; title: string; summary?: string; clauses: { text: string; points: string[] }[] }[] = [];
  for (const block of blocks.map((one) => one.replace(/\n(?!- )/g, ' '))) {
    const heading = /^## (.+) \{#([a-z]+)\}$/.exec(block);
    if (heading) {
      sections.push({ id: heading[2] ?? '', title: heading[1] ?? '', clauses: [] });
      continue;
    }
    const section = sections.at(-1);
    if (!section || block.startsWith('#')) throw new Error(`This stands in no section: ${block}`);
    const clause = section.clauses.at(-1);
    if (block.startsWith('> ')) section.summary = block.slice(2);
    else if (!block.startsWith('- ')) section.clauses.push({ text: block, points: [] });
    else {
      const points = block.slice(2).split('\n- ');
      // A list that opens a section is clauses of its own.
      if (clause) clause.points.push(...points);
      else section.clauses.push(...points.map((text) => ({ text, points: [] })));
    }
  }
  return { version, date, changes, title: title.slice(2), sections };
}

/** Every version of a text, the newest first. Throws for a text that doesn't exist. */
export function versionsOf(folder: string, locale: SiteLocale): readonly LongText[] {
  const name = new RegExp(`^\\.\\./\\.\\./content/${folder}/(\\d+)/${FILE_OF[locale]}\\.md$`);
  const found = Object.entries(FILES).flatMap(([path, source]) => {
    const version = name.exec(path)?.[1];
    return version === undefined ? [] : [parseText(source, Math.trunc(+version))];
  });
  if (found.length === 0) throw new Error(`There is no text ${folder} in ${locale}`);
  return found.sort((one, other) => other.version - one.version);
}

/** The day on which a long text came into force in a language; undefined for what is none. */
export function dateOfText(folder: string, locale: SiteLocale): string | undefined {
  return Object.keys(FILES).some((path) => path.startsWith(`../../content/${folder}/`))
    ? versionsOf(folder, locale)[0]?.date
    : undefined;
}

/** A text with its blanks filled in. Throws for a blank that isn't given. */
export function fillText(text: LongText, locale: SiteLocale, params: Params): LongText {
  const fill = (words: string): string => filled(words, locale, params);
  return {
    ...text,
    title: fill(text.title),
    changes: fill(text.changes),
    sections: text.sections.map(({ id, title, summary, clauses }) => ({
      id,
      title: fill(title),
      ...(summary === undefined ? {} : { summary: fill(summary) }),
      clauses: clauses.map((clause) => ({ text: fill(clause.text), points: clause.points.map(fill) })),
    })),
  };
}

/** `November 23, 2026` · `23 ноября 2026`. Takes a day, `2026-11-23`. */
export function writeLongDate(day: string, locale: SiteLocale): string {
  const words = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));
  return words.replace(/\sг\.$/, '').replaceAll(' ', '\u00a0');
}
