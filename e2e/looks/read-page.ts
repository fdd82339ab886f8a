// Parses a page's HTML for tests of the whole site. The product's pages are well-formed, so a stack of open elements is
// sufficient.

export interface ReadPage {
  /** Value of `lang` of `<html>`. */
  readonly language: string;
  readonly titles: readonly string[];
  /** Number of `h1` elements. */
  readonly headings: number;
  readonly ids: ReadonlySet<string>;
  /** Ids that occur twice. */
  readonly twice: readonly string[];
  /** Addresses of all links and loaded resources, as written. */
  readonly links: readonly string[];
  /** Texts in the page's own language, without code and without elements in another language. */
  readonly texts: readonly string[];
  /** Texts in attributes: labels, alternative texts and placeholders. */
  readonly labels: readonly string[];
  /** `canonical`, `robots`, `description` and, for each language, `alternate en`. */
  readonly head: Readonly<Record<string, string>>;
}

interface Open {
  readonly tag: string;
  readonly language: string;
  readonly isCode: boolean;
}

type Attributes = Readonly<Record<string, string>>;

const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
const LABELS = ['aria-label', 'title', 'alt', 'placeholder'];
const CODE = new Set(['code', 'pre', 'kbd', 'samp']);
/** Matches the next piece: an element whose content isn't parsed, a comment, a tag, or a text. */
const PIECES = /<(script|style)\b([^>]*)>[\s\S]*?<\/\1>|<!--[\s\S]*?-->|<(\/?)([a-z][a-z0-9-]*)((?:[^>"]|"[^"]*")*)>|([^<]+)/gi;

/** Parses the HTML of one of the product's pages. */
export function readPage(html: string): ReadPage {
  const page = {
    language: '',
    titles: [] as string[],
    headings: 0,
    ids: new Set<string>(),
    twice: [] as string[],
    links: [] as string[],
    texts: [] as string[],
    labels: [] as string[],
    head: {} as Record<string, string>,
  };
  const open: Open[] = [];
  for (const [, silent, silentRest, slash, name, rest, text] of html.matchAll(PIECES)) {
    const inside = open.at(-1);
    if (text !== undefined) {
      const words = decoded(text).replaceAll(/\s+/g, ' ').trim();
      if (inside?.tag === 'title' && open.at(-2)?.tag === 'head') page.titles.push(words);
      else if (words !== '' && inside && !inside.isCode && inside.language === page.language) page.texts.push(words);
    } else if (slash === '/') {
      while (open.length > 0 && open.pop()?.tag !== name?.toLowerCase());
    } else {
      const tag = (name ?? silent ?? '').toLowerCase();
      const own = attributesOf(rest ?? silentRest ?? '');
      note(page, tag, own);
      if (tag === 'html') page.language = own['lang'] ?? '';
      const language = own['lang'] ?? inside?.language ?? '';
      if (language === page.language) page.labels.push(...LABELS.flatMap((label) => own[label] || []));
      const isLeft = silent !== undefined || VOID.has(tag) || rest?.endsWith('/') === true;
      if (tag !== '' && !isLeft) open.push({ tag, language, isCode: CODE.has(tag) || inside?.isCode === true });
    }
  }
  return page;
}

/** Records the data of a tag. */
function note(
  page: { headings: number; ids: Set<string>; twice: string[]; links: string[]; head: Record<string, string> },
  tag: string,
  own: Attributes,
): void {
  const { id, href, src, rel, name, content, hreflang } = own;
  if (id !== undefined && page.ids.has(id)) page.twice.push(id);
  if (id !== undefined) page.ids.add(id);
  if (tag === 'h1') page.headings += 1;
  if (href !== undefined) page.links.push(href);
  if (src !== undefined) page.links.push(src);
  if (tag === 'link' && href !== undefined && (rel === 'canonical' || hreflang !== undefined))
    page.head[hreflang === undefined ? 'canonical' : `alternate ${hreflang}`] = href;
  if (tag === 'meta' && name !== undefined && content !== undefined) page.head[name] = content;
}

function attributesOf(written: string): Attributes {
  const found = written.matchAll(/([a-z][a-z0-9-]*)(?:="([^"]*)")?/gi);
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name.toLowerCase(), decoded(value)]));
}

const NAMED: Attributes = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0' };

const decoded = (text: string): string =>
  text.replaceAll(/&(?:#x([0-9a-f]+)|#(\d+)|([a-z]+));/gi, (all, hex: string, number: string, name: string) => {
    if (name !== undefined) return NAMED[name] ?? all;
    return String.fromCodePoint(hex === undefined ? Number(number) : Number.parseInt(hex, 16));
  });
