import { createElement, type ComponentType } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { mark } from '../brand/mark.ts';
import { ICON_NAMES, type IconName } from '../ui/base/icons.ts';

type Weight = 'regular' | 'bold' | 'fill';
type Drawing = ComponentType<{ weight: Weight }>;

/** Icons drawn in bold, because they are shown at 16 px. Other icons are regular, or filled if their name ends in `-fill`. */
const BOLD = new Set<IconName>(['caret-down', 'check', 'plus']);

/**
 * Returns one SVG sprite of all icons and our own marks, used by `<use href="…#name">`. The icons are from Phosphor (MIT). With
 * the sprite, neither pages nor scripts contain the drawings.
 */
export async function iconSprite(): Promise<string> {
  const symbols = await Promise.all(ICON_NAMES.map(iconSymbol));
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}${MARK}${COIN}</svg>`;
}

async function iconSymbol(name: IconName): Promise<string> {
  const filled = name.endsWith('-fill');
  const base = filled ? name.slice(0, -'-fill'.length) : name;
  const component = base.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const drawings = (await import(`@phosphor-icons/react/dist/ssr/${component}`)) as Record<string, Drawing>;
  const drawing = drawings[component] ?? drawings[`${component}Icon`];
  if (!drawing) throw new Error(`There is no icon called ${component}`);
  const svg = renderToStaticMarkup(createElement(drawing, { weight: filled ? 'fill' : BOLD.has(name) ? 'bold' : 'regular' }));
  const paths = /<svg[^>]*>(.*)<\/svg>/s.exec(svg)?.[1] ?? '';
  return `<symbol id="${name}" viewBox="0 0 256 256">${paths}</symbol>`;
}

/** Mark in the colours of the page's theme. */
const MARK = `<symbol id="mark" viewBox="0 0 32 32">${mark({ rim: 'var(--brand-text)', face: 'var(--brand)', arrows: 'var(--on-brand)' })}</symbol>`;

/** Rim of a currency's icon. */
const COIN =
  '<symbol id="coin" viewBox="0 0 40 40"><circle cx="20" cy="20" r="20" fill="var(--coin-face)"/>' +
  '<g fill="none" stroke="var(--coin-rim)"><circle cx="20" cy="20" r="18" stroke-width="2" stroke-dasharray="1.05 1.05"/><circle cx="20" cy="20" r="14.6" stroke-width=".8"/></g></symbol>';
