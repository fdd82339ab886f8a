import { BANNER_SIZES, type BannerSize } from '../../brand/banner-sizes.ts';
import { banner } from '../../brand/banners.ts';
import { colour, coloursOf } from '../../brand/colours.ts';
import { markColours } from '../../brand/kit.ts';
import { MARK_SIDE, ON_DARK, ON_LIGHT, mark, svgFile } from '../../brand/mark.ts';
import type { Outlines } from '../../brand/outlines.ts';
import { canDraw, drawName } from '../../brand/wordmark.ts';
import letters from '../../.build/letters.json?raw';
import tokens from '../../ui/theme/tokens.css?raw';
import type { SiteConfig, SiteLocale, SiteResponse } from '../../site.ts';
import { escape } from './document.ts';
import { text } from '../files/small-files.ts';

export const COLOURS = coloursOf(tokens);
const LETTERS = JSON.parse(letters) as Outlines;

/**
 * Colours of a wordmark's mark and letters, by the path of the file. One file is for light backgrounds, the other for dark
 * backgrounds.
 */
const WORDMARKS = {
  '/brand/wordmark.svg': { colours: ON_LIGHT, letters: 'gray-950' },
  '/brand/wordmark-dark.svg': { colours: ON_DARK, letters: 'gray-50' },
} as const;

/** Texts on a banner besides the desk's name, by language. */
const BANNER_WORDS: Record<SiteLocale, { readonly text: string; readonly button: string }> = {
  en: { text: 'See every cost before you pay', button: 'Exchange' },
  ru: { text: 'Каждый расход виден до оплаты', button: 'Обменять' },
};
const BANNER = /^\/brand\/banner-(\d+x\d+)\.(en|ru)\.svg$/;

/** True if the desk's name can be drawn as a wordmark: the font has Latin and Russian letters. */
export const hasWordmark = ({ name }: SiteConfig): boolean => canDraw(name, LETTERS);

/**
 * Returns the file of a wordmark or a banner with the desk's name, as an SVG drawing that needs no font. Returns undefined for
 * any other path, or if the name can't be drawn.
 */
export function brandFile(path: string, config: SiteConfig): SiteResponse | undefined {
  const [, request, locale] = BANNER.exec(path) ?? [];
  const size = BANNER_SIZES.find((one) => one === request);
  if (size && hasWordmark(config)) return bannerFile(size, locale === 'ru' ? 'ru' : 'en', config);
  if (!Object.hasOwn(WORDMARKS, path) || !hasWordmark(config)) return undefined;
  const { colours, letters: ink } = WORDMARKS[path as keyof typeof WORDMARKS];
  const { drawing, width } = drawName(config.name, colour(COLOURS, ink), LETTERS);
  const drawings = mark(markColours(COLOURS, colours)) + drawing;
  return text('image/svg+xml', svgFile(width, MARK_SIDE, drawings, escape(config.name)));
}

/** Returns a banner with the desk's name, which other sites may show. */
function bannerFile(size: BannerSize, locale: SiteLocale, { name }: SiteConfig): SiteResponse {
  const drawn = banner(size, { name, ...BANNER_WORDS[locale] }, COLOURS, LETTERS);
  return text('image/svg+xml', drawn, [['cross-origin-resource-policy', 'cross-origin']]);
}
