// Formats of the rates feed. XML: BestChange 1.1 (docs.bestchange.biz/release/1.1). Each limit has two names, because
// BestChange's cabinet still reads the names of version 1.0. JSON: version 1.3 of the kurses.com.ua family. TXT: for smaller
// monitors.

import type { FeedItem } from './feed.ts';

/** Returns BestChange’s XML 1.1, one entry a line. Flags are written as `true`, because the schema refuses empty elements. */
export function feedXml(items: readonly FeedItem[]): string {
  const root =
    '<rates xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="https://docs.bestchange.biz/schema/1.1.xsd">';
  return ['<?xml version="1.0" encoding="UTF-8"?>', root, ...items.map(xmlItem), '</rates>', ''].join('\n');
}

function xmlItem(item: FeedItem): string {
  const fields: readonly (readonly [name: string, value: string | undefined])[] = [
    ['from', item.from],
    ['to', item.to],
    ['in', item.in],
    ['out', item.out],
    ['amount', item.amount],
    ['frommin', item.min],
    ['frommax', item.max],
    ['manual', item.isManual ? 'true' : undefined],
    ['verifying', item.isReversible ? 'true' : undefined],
    ['hold', item.isReversible ? 'true' : undefined],
    ['minamount', item.min],
    ['maxamount', item.max],
  ];
  const named = fields.flatMap(([name, value]) => (value === undefined ? [] : [`<${name}>${value}</${name}>`]));
  const delay = item.delay === undefined ? '' : `<delay>${item.delay}</delay>`;
  return `<item>${named.join('')}<floating minutes="${item.fixedMinutes}"/>${delay}</item>`;
}

/** Returns a line for each direction: `from;to;in;out;amount;city;`, with an empty city. */
export function feedText(items: readonly FeedItem[]): string {
  return items.map(({ from, to, in: given, out, amount }) => `${from};${to};${given};${out};${amount};;\n`).join('');
}

/**
 * Returns JSON 1.3: each currency has a number, and each exchange names both currencies by number. `xr` is in ÷ out if more is
 * given than received, otherwise out ÷ in with a minus sign. The text is built by hand, since floats would not preserve the
 * decimals.
 */
export function feedJson(items: readonly FeedItem[]): string {
  const codes = [...new Set(items.flatMap(({ from, to }) => [from, to]))];
  const number = (code: string): string => String(codes.indexOf(code) + 1);
  const amounts = new Map(items.map(({ to, amount }) => [to, amount]));
  const froms = codes.filter((code) => items.some(({ from }) => from === code));
  const exchange = froms.map((code) => {
    const rows = items.filter(({ from }) => from === code).map((item): Pair => [number(item.to), jsonItem(item)]);
    return [number(code), object([['to', object(rows)]])] as const;
  });
  const list = object(codes.map((code) => [number(code), `"${code}"`]));
  const reserves = object([...amounts].map(([code, amount]) => [number(code), amount]));
  const currencies = object([
    ['list', list],
    ['amounts', reserves],
  ]);
  return object([
    ['version', '"1.3"'],
    ['currencies', currencies],
    ['exchange', object(exchange)],
  ]);
}

type Pair = readonly [name: string, json: string];

function jsonItem({ in: given, out, amount, min, max, isManual, isReversible }: FeedItem): string {
  const options: Pair[] = [...(isManual ? [['manual', '1'] as const] : []), ...(isReversible ? [['ident', '1'] as const] : [])];
  return object([
    ['xr', out === '1' ? given : `-${out}`],
    ['amount', amount],
    ['min', min],
    ['max', max],
    ...(options.length > 0 ? [['options', object(options)] as const] : []),
  ]);
}

const object = (pairs: readonly Pair[]): string => `{${pairs.map(([name, json]) => `"${name}":${json}`).join(',')}}`;
