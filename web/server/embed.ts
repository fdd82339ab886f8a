// Page of the calculator for other sites, which show it in a frame. It has a form that works without scripts, and a script that
// computes while the visitor types. It sets and reads no cookies. Its button opens our own calculator in a new tab.

import { createHash } from 'node:crypto';
import type { Client } from '@kurs/contract/client';
import { lettersOn } from '@kurs/contract/contrast';
import { trimZeros } from '@kurs/money';
import { type EmbedData, shownFor } from '../embed/calculator-view.ts';
import styles from '../embed/embed.css?raw';
import { WIDGET } from '../entries/widget.ts';
import { choicesOf } from '../features/calculator/choose-pair.ts';
import { discountName, feeName } from '../features/calculator/fee-name.ts';
import type { Direction } from '../features/calculator/price-breakdown.ts';
import { usualAmount } from '../features/calculator/usual-amount.ts';
import { type Currency, findCurrency, shortNameOf, tickerOf } from '../features/currency.ts';
import { m } from '../features/words.ts';
import { PREFIX, pageUrl } from '../routes/pages.ts';
import type { SiteConfig, SiteLocale, SiteResponse } from '../site.ts';
import written from '../ui/theme/tokens.css?raw';
import { shownCurrencies } from './document/currencies.ts';
import { escape, escapeJson } from './document/document.ts';
import { contentSecurityPolicy } from './routing/headers.ts';
import { linkQuery, referencesIn } from './routing/link-query.ts';
import { THEMES } from './routing/visit.ts';

/** Style sheet of the theme without comments. */
const tokens = written.replace(/\/\*[^]*?\*\/\n?/g, '');

/** Returns the language in the path of the calculator's page; undefined for any other path. */
export function embedLocale(path: string): SiteLocale | undefined {
  return /^\/embed\/(en|ru)\/calculator$/.exec(path)?.[1] as SiteLocale | undefined;
}

interface Drawn {
  readonly config: SiteConfig;
  readonly locale: SiteLocale;
  /** URL of the calculator's script. */
  readonly script: string;
}

/**
 * Renders the calculator's page. Parameters of the URL: `from`, `to` and `amount`, as for our own calculator; `ref` and `sub` for
 * the affiliate; `theme` and `accent` for the look.
 */
export async function embedPage(url: URL, { config, locale, script }: Drawn, client: Client): Promise<SiteResponse> {
  const [listed, { directions }] = await Promise.all([client.currencies({}), client.directions({})]);
  const currencies = shownCurrencies(listed);
  const offered = directions.filter(({ open, terms }) => open && terms);
  const query = linkQuery(url);
  const [ref] = referencesIn(query);
  const direction = await asLinked(client, chosen(offered, query), ref);
  const look = lookOf(query);
  const html = direction
    ? calculatorOf(query, { config, locale, currencies, offered, direction, ref })
    : `<form><h1>${escape(m.calculator_none())}</h1><p>${escape(m.calculator_none_text())}</p></form>`;
  const css = `${tokens}${look.css}${styles}`;
  const body = `<!doctype html>
<html lang="${locale}" data-theme="${look.theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escape(`${m.embed_title()} · ${config.name}`)}</title>
<style>${css}</style>
</head>
<body>
${html}
${direction ? `<script type="module" src="${script}"></script>` : ''}
</body>
</html>
`;
  return { status: 200, headers: headersOf(css, config), body, isCacheable: false };
}

/**
 * Returns the direction that a query names. If it is not offered, returns a direction with the same currency to send, else a
 * direction with the same currency to receive, else the first direction.
 */
function chosen(offered: readonly Direction[], query: URLSearchParams): Direction | undefined {
  const [from, to] = [query.get('from'), query.get('to')];
  return (
    offered.find((one) => one.from === from && one.to === to) ??
    offered.find((one) => one.from === from) ??
    offered.find((one) => one.to === to) ??
    offered[0]
  );
}

/** Returns the direction with the terms for an affiliate's reference, which include the friend's discount. */
async function asLinked(
  client: Client,
  direction: Direction | undefined,
  ref: string | undefined,
): Promise<Direction | undefined> {
  if (!direction || ref === undefined) return direction;
  const { directions } = await client.directions({ from: direction.from, to: direction.to, ref });
  return directions.find(({ slug, terms }) => slug === direction.slug && terms) ?? direction;
}

interface Form extends Omit<Drawn, 'script'> {
  readonly currencies: readonly Currency[];
  readonly offered: readonly Direction[];
  readonly direction: Direction;
  readonly ref: string | undefined;
}

function calculatorOf(query: URLSearchParams, { config, locale, currencies, offered, direction, ref }: Form): string {
  const [give, get] = [findCurrency(currencies, direction.from), findCurrency(currencies, direction.to)];
  const data: EmbedData = {
    ...{ locale, direction, give, get, tickers: { give: tickerOf(give), get: tickerOf(get) } },
    ...{ api: config.api ?? '', clientId: config.clientId },
    ...(ref !== undefined && { ref }),
    lines: {
      fee: m.fee_sum(),
      ...Object.fromEntries(['sweep', 'payin', 'payout', 'network'].map((code) => [code, feeName(code)])),
      friend: discountName('friend'),
    },
    otherLine: m.fee_costs(),
    problems: {
      unreadable: m.embed_unreadable(),
      below_min: m.embed_below({ limit: '{limit}' }),
      above_max: m.embed_above({ limit: '{limit}' }),
      above_reserve: m.embed_reserve({ limit: '{limit}' }),
      eaten: m.embed_below({ limit: '{limit}' }),
    },
  };
  const typed = query.get('amount')?.slice(0, 60) ?? trimZeros(usualAmount(direction, give, get), 0);
  const shown = shownFor(typed, data);
  const given = [...query].filter(([name]) => name === 'ref' || name === 'sub');
  const stored = [...given, ...Object.entries(chosenLook(query))];
  const hidden = stored.map(([name = '', value = '']) => `<input type="hidden" name="${name}" value="${escape(value)}">`);
  const list = (side: 'give' | 'get'): string => {
    const fits = side === 'give' ? offered : offered.filter(({ from }) => from === direction.from);
    const chosenCode = side === 'give' ? direction.from : direction.to;
    const options = choicesOf(fits, side).map(({ code }) => {
      const name = shortNameOf(findCurrency(currencies, code), currencies);
      return `<option value="${code}"${code === chosenCode ? ' selected' : ''}>${escape(name)}</option>`;
    });
    const [name, label] = side === 'give' ? ['from', m.embed_give_currency()] : ['to', m.embed_get_currency()];
    return `<select id="${name}" name="${name}" aria-label="${escape(label)}">${options.join('')}</select>`;
  };
  const lines = shown.lines.map(({ name, amount }) => `<div><dt>${escape(name)}</dt><dd>${escape(amount)}</dd></div>`);
  return `<form action="/embed/${locale}/calculator" method="get" rel="noopener">
<button id="calculate" hidden></button>
<h1>${escape(m.embed_title())}</h1>
<div class="side"><label for="amount">${escape(m.embed_give())}</label>
<div class="box"><input id="amount" name="amount" inputmode="decimal" autocomplete="off" value="${escape(typed)}" aria-describedby="problem" aria-invalid="${shown.problem !== ''}">${list('give')}</div>
<p id="problem" role="status">${escape(shown.problem)}</p></div>
<div class="side"><span class="name" id="get-name">${escape(m.embed_get())}</span>
<div class="box"><output id="get" for="amount from to" aria-labelledby="get-name">${escape(shown.get)}</output>${list('get')}</div></div>
<dl><div><dt>${escape(m.slip_rate())}</dt><dd id="rate">${escape(shown.rate)}</dd></div><div id="lines">${lines.join('')}</div></dl>
${hidden.join('')}<noscript><button class="plain">${escape(m.calculator_calculate())}</button></noscript>
<button formaction="/${PREFIX[locale]}" formtarget="_blank">${escape(m.embed_go({ name: config.name }))}</button>
<p class="by">${escape(m.embed_by())} <a href="${escape(linkOf(locale, query))}" target="_blank" rel="noopener">${escape(config.name)}</a></p>
</form>
<script type="application/json" id="pair">${escapeJson(data)}</script>`;
}

/** Returns the URL of our home page with the affiliate's reference from the query. */
function linkOf(locale: SiteLocale, query: URLSearchParams): string {
  const [ref] = referencesIn(query);
  const sub = query.get('sub') ?? '';
  return pageUrl(locale, 'home', ref === undefined ? {} : { ref, ...(sub !== '' && { sub }) });
}

/** Returns the look that the page around the calculator chose: the theme, and the button's colour in six hex digits. */
function chosenLook(query: URLSearchParams): { theme?: string; accent?: string } {
  const theme = THEMES.find((one) => one === query.get('theme'));
  const accent = /^[0-9a-f]{6}$/i.exec(query.get('accent') ?? '')?.[0];
  return { ...(theme && { theme }), ...(accent && { accent }) };
}

/**
 * Returns the theme, and CSS for the button's colours. On a chosen colour the letters are black or white, whichever has more
 * contrast.
 */
function lookOf(query: URLSearchParams): { theme: string; css: string } {
  const { theme = 'system', accent } = chosenLook(query);
  const colours = accent === undefined ? ['var(--brand)', 'var(--on-brand)'] : [`#${accent}`, lettersOn(`#${accent}`)];
  return { theme, css: `:root{--accent:${colours[0]};--on-accent:${colours[1]}}` };
}

/** Returns the headers of the calculator's page. Any site may show it in a frame. Its only script calls our API. */
function headersOf(css: string, { url, api }: SiteConfig): SiteResponse['headers'] {
  const hash = `sha256-${createHash('sha256').update(css).digest('base64')}`;
  return [
    ['content-type', 'text/html; charset=utf-8'],
    ...contentSecurityPolicy(WIDGET.policy, hash, {
      isSecure: url.startsWith('https:'),
      api: api && new URL(api).origin,
      exposure: { framing: 'anyone' },
    }),
    ['cache-control', 'no-store'],
    ['x-content-type-options', 'nosniff'],
    ['permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=()'],
    ['referrer-policy', 'no-referrer'],
  ];
}
