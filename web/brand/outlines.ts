import { inflateSync } from 'node:zlib';

/**
 * Outlines of a font's characters. A wordmark is drawn with them as paths, so it needs no font. They are the TrueType outlines of
 * a WOFF file: https://www.w3.org/TR/WOFF/ and https://learn.microsoft.com/typography/opentype/spec/ (head, hmtx, cmap, loca,
 * glyf).
 */
export interface Outlines {
  /** Side of the square that characters are drawn in, in font units. */
  readonly em: number;
  /** Glyphs by character. `width` is the advance width. `path` is the outline; its y axis points down from the base line. */
  readonly glyphs: Readonly<Record<string, { readonly width: number; readonly path: string }>>;
}

type Point = readonly [x: number, y: number, isOn: boolean];

/** Reads all characters of a font. Throws if the file is no WOFF file with TrueType outlines. */
export function outlinesOf(woff: Buffer): Outlines {
  const tables = tablesOf(woff);
  const table = (name: string): Buffer => {
    const found = tables.get(name);
    if (!found) throw new Error(`The font has no ${name}`);
    return found;
  };
  const [head, hmtx, loca, glyf] = [table('head'), table('hmtx'), table('loca'), table('glyf')];
  const wide = table('hhea').readUInt16BE(34);
  const isLong = head.readInt16BE(50) === 1;
  const at = (glyph: number): number => (isLong ? loca.readUInt32BE(glyph * 4) : loca.readUInt16BE(glyph * 2) * 2);
  const dataOf = (glyph: number): Buffer => glyf.subarray(at(glyph), at(glyph + 1));
  const glyphs = [...charactersOf(table('cmap'))].map(([code, glyph]) => {
    const width = hmtx.readUInt16BE(Math.min(glyph, wide - 1) * 4);
    return [String.fromCodePoint(code), { width, path: contoursOf(glyph, dataOf).map(pathOf).join('') }] as const;
  });
  return { em: head.readUInt16BE(18), glyphs: Object.fromEntries(glyphs) };
}

function tablesOf(woff: Buffer): Map<string, Buffer> {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new Error('This is no WOFF file');
  const tables = new Map<string, Buffer>();
  for (let row = 44; row < 44 + 20 * woff.readUInt16BE(12); row += 20) {
    const [offset, packed, whole] = [woff.readUInt32BE(row + 4), woff.readUInt32BE(row + 8), woff.readUInt32BE(row + 12)];
    const bytes = woff.subarray(offset, offset + packed);
    tables.set(woff.toString('latin1', row, row + 4), packed < whole ? inflateSync(bytes) : bytes);
  }
  return tables;
}

/** Returns the glyph numbers of the characters in the basic plane (cmap format 4). */
function charactersOf(cmap: Buffer): Map<number, number> {
  const offsets = Array.from({ length: cmap.readUInt16BE(2) }, (_, row) => cmap.readUInt32BE(4 + row * 8 + 4));
  const start = offsets.find((offset) => cmap.readUInt16BE(offset) === 4);
  if (start === undefined) throw new Error('The font names its characters in another way');
  const size = cmap.readUInt16BE(start + 6);
  const found = new Map<number, number>();
  for (let row = 0; row < size; row += 2) {
    const end = cmap.readUInt16BE(start + 14 + row);
    const begin = cmap.readUInt16BE(start + 16 + size + row);
    const delta = cmap.readInt16BE(start + 16 + 2 * size + row);
    const place = start + 16 + 3 * size + row;
    const range = cmap.readUInt16BE(place);
    for (let code = begin; code <= end && code < 0xffff; code += 1) {
      const listed = range === 0 ? code : cmap.readUInt16BE(place + range + (code - begin) * 2);
      const glyph = listed === 0 ? 0 : (listed + delta) & 0xffff;
      if (glyph !== 0) found.set(code, glyph);
    }
  }
  return found;
}

function contoursOf(glyph: number, dataOf: (glyph: number) => Buffer): Point[][] {
  const data = dataOf(glyph);
  if (data.length === 0) return [];
  const count = data.readInt16BE(0);
  return count < 0 ? composedOf(data, dataOf) : simple(data, count);
}

/**
 * Flags of a component in a composite glyph: its offsets are 16-bit numbers (`WORDS`), and another component follows (`MORE`).
 */
const WORDS = 1;
const MORE = 32;
/** Number of values in a component's transformation, by the flag that is set: one scale, a scale per axis, or a 2×2 matrix. */
const TURNS: readonly (readonly [flag: number, numbers: number])[] = [
  [8, 1],
  [64, 2],
  [128, 4],
];

/** Returns the contours of a composite glyph, such as a letter with an accent. Each component is moved and perhaps scaled. */
function composedOf(data: Buffer, dataOf: (glyph: number) => Buffer): Point[][] {
  const contours: Point[][] = [];
  for (let at = 10, flags = MORE; flags & MORE;) {
    flags = data.readUInt16BE(at);
    const part = data.readUInt16BE(at + 2);
    const isWords = (flags & WORDS) !== 0;
    const [x, y] = isWords
      ? [data.readInt16BE(at + 4), data.readInt16BE(at + 6)]
      : [data.readInt8(at + 4), data.readInt8(at + 5)];
    at += isWords ? 8 : 6;
    const count = TURNS.find(([flag]) => flags & flag)?.[1] ?? 0;
    const turn = Array.from({ length: count }, (_, index) => data.readInt16BE(at + index * 2) / 16_384);
    at += count * 2;
    const [a = 1, b = 0, c = 0, d = a] = count === 2 ? [turn[0], 0, 0, turn[1]] : turn;
    const moved = ([px, py, isOn]: Point): Point => [a * px + c * py + x, b * px + d * py + y, isOn];
    contours.push(...contoursOf(part, dataOf).map((points) => points.map(moved)));
  }
  return contours;
}

function simple(data: Buffer, count: number): Point[][] {
  const ends = Array.from({ length: count }, (_, index) => data.readUInt16BE(10 + index * 2));
  const total = (ends.at(-1) ?? -1) + 1;
  let at = 12 + count * 2 + data.readUInt16BE(10 + count * 2);
  const flags: number[] = [];
  while (flags.length < total) {
    const flag = data.readUInt8(at++);
    const times = flag & 8 ? data.readUInt8(at++) + 1 : 1;
    for (let time = 0; time < times; time += 1) flags.push(flag);
  }
  const read = (short: number, same: number): number[] => {
    let value = 0;
    return flags.map((flag) => {
      if (flag & short) value += flag & same ? data.readUInt8(at++) : -data.readUInt8(at++);
      else if (!(flag & same)) {
        value += data.readInt16BE(at);
        at += 2;
      }
      return value;
    });
  };
  const xs = read(2, 16);
  const ys = read(4, 32);
  const points = flags.map((flag, index): Point => [xs[index] ?? 0, ys[index] ?? 0, (flag & 1) === 1]);
  return ends.map((end, index) => points.slice(index === 0 ? 0 : (ends[index - 1] ?? 0) + 1, end + 1));
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** Returns the path of one closed contour. Halfway between two points off the curve, TrueType implies a point on the curve. */
function pathOf(points: readonly Point[]): string {
  const middle = ([ax, ay]: Point, [bx, by]: Point): Point => [(ax + bx) / 2, (ay + by) / 2, true];
  const full = points.flatMap((point, index): Point[] => {
    const next = points[(index + 1) % points.length] ?? point;
    return point[2] || next[2] ? [point] : [point, middle(point, next)];
  });
  const first = full.findIndex(([, , isOn]) => isOn);
  const turned = [...full.slice(first), ...full.slice(0, first + 1)];
  const write = ([x, y]: Point): string => `${round(x)} ${round(-y)}`;
  let path = '';
  for (const [index, point] of turned.entries()) {
    const before = turned[index - 1];
    if (index === 0) path += `M${write(point)}`;
    else if (point[2]) path += before?.[2] === false ? ` ${write(point)}` : `L${write(point)}`;
    else path += `Q${write(point)}`;
  }
  return `${path}Z`;
}
