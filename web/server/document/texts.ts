import type { SiteLocale } from '../../site.ts';
import { type Params, filled } from './page-words.ts';

const FILES = import.meta.glob<string>('../../content/*/*/*.md', { query: '?raw', import: 'default', eager: true });
const FILE_OF = { en: 'en-US', ru: 'ru-RU' } as const;

/**
 * Version of a long text, such as the terms. Each version has a folder, `content/<text>/<version>/`, whose files are never
 * changed or removed.
 */
export interface TextVersion {
  readonly version: number;
  /** Day from which the version is in force, `2026-11-23`. */
  readonly date: string;
  /** Changes since the previous version, in one sentence. */
  readonly changes: string;
}

/** Numbered clause: a paragraph, and the points of a list that belongs to it. */
export interface Clause {
  readonly text: string;
  readonly points: readonly string[];
}

export interface TextSection {
  /** Id of the section in links, the same in both languages. */
  readonly id: string;
  readonly title: string;
  /** Summary of the section in one sentence. */
  readonly summary?: string;
  readonly clauses: readonly Clause[];
}

export interface LongText extends TextVersion {
  readonly title: string;
  readonly sections: readonly TextSection[];
}

/**
 * Parses a text in a subset of Markdown: a title, then `date · changes`, then sections (`## Title {#id}`). A section has a
 * summary (`> …`) and clauses. A clause is a paragraph, with the list after it if there is one. Placeholders are not filled in.
 * Throws for any other form.
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
      // The points of a list before the section's first paragraph become clauses.
      if (clause) clause.points.push(...points);
      else section.clauses.push(...points.map((text) => ({ text, points: [] })));
    }
  }
  return { version, date, changes, title: title.slice(2), sections };
}

/** Returns all versions of a text, the newest first. Throws for an unknown text. */
export function versionsOf(folder: string, locale: SiteLocale): readonly LongText[] {
  const name = new RegExp(`^\\.\\./\\.\\./content/${folder}/(\\d+)/${FILE_OF[locale]}\\.md$`);
  const found = Object.entries(FILES).flatMap(([path, source]) => {
    const version = name.exec(path)?.[1];
    return version === undefined ? [] : [parseText(source, Math.trunc(+version))];
  });
  if (found.length === 0) throw new Error(`There is no text ${folder} in ${locale}`);
  return found.sort((one, other) => other.version - one.version);
}

/** Returns the day on which the newest version of a long text came into force; undefined if there is no such text. */
export function dateOfText(folder: string, locale: SiteLocale): string | undefined {
  return Object.keys(FILES).some((path) => path.startsWith(`../../content/${folder}/`))
    ? versionsOf(folder, locale)[0]?.date
    : undefined;
}

/** Returns a text with its placeholders filled in. Throws if a value is missing. */
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

/** Writes a day like `2026-11-23` in words: `November 23, 2026` · `23 ноября 2026`. */
export function writeLongDate(day: string, locale: SiteLocale): string {
  const words = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));
  return words.replace(/\sг\.$/, '').replaceAll(' ', '\u00a0');
}
