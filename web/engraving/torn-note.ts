import { type Point, SMALL_ROSETTE, rosetteLines, waveLines } from './engraving.ts';

// Animation of the error page in the Lottie format (https://lottie.github.io/lottie-spec/). The halves of a torn note drift apart
// and come back, while the rosette between them turns. Layers have classes instead of colours, which the page's style sheet sets.
// The page replaces `{status}` and `{motto}`.

/** Size of the note in pixels. `margin` leaves room for its halves to move. */
const NOTE = { width: 620, height: 268, margin: 20 };
const FRAME = { w: NOTE.width + 2 * NOTE.margin, h: NOTE.height + 2 * NOTE.margin };
const PER_SECOND = 30;
/** Length of the animation in frames. */
const LENGTH = 14 * PER_SECOND;

/** Points along the torn edge of each half, from top to bottom, as fractions of the note's width and height. */
const LEFT_EDGE: readonly Point[] = [
  [0.475, 0],
  [0.515, 0.11],
  [0.48, 0.2],
  [0.51, 0.32],
  [0.48, 0.44],
  [0.525, 0.56],
  [0.49, 0.66],
  [0.515, 0.76],
  [0.495, 0.84],
  [0.515, 1],
];
const RIGHT_EDGE: readonly Point[] = LEFT_EDGE.map(([x, y]) => [x + 0.007, y]);

const round = (value: number): number => Math.round(value * 10) / 10;
const still = (k: unknown): object => ({ a: 0, k });
const placed = ([x, y]: Point): Point => [round(x), round(y)];

/** Returns a path of straight lines through points. */
function line(points: readonly Point[], isClosed: boolean): object {
  const none = points.map(() => [0, 0]);
  return { c: isClosed, i: none, o: none, v: points.map(placed) };
}

const INK = { ty: 'st', c: still([0.5, 0.5, 0.5, 1]), o: still(100), lc: 1, lj: 1, ml: 4 };
const GROUP_PLACE = { ty: 'tr', p: still([0, 0]), a: still([0, 0]), s: still([100, 100]), r: still(0), o: still(100) };

const group = (shapes: readonly object[], paint: object): object => ({ ty: 'gr', it: [...shapes, paint, GROUP_PLACE] });
const paths = (lines: readonly (readonly Point[])[], isClosed: boolean): object[] =>
  lines.map((points) => ({ ty: 'sh', ks: still(line(points, isClosed)) }));

interface Place {
  readonly p: object;
  readonly a?: object;
  readonly r?: object;
}

/** Returns a layer of shapes. `name` is the layer's class, by which the page's style sheet colours it. */
function shapes(name: string, drawn: readonly object[], { p, a = still([0, 0]), r = still(0) }: Place): object {
  return {
    ty: 4,
    cl: name,
    sr: 1,
    ks: { p, a, r, s: still([100, 100]), o: still(100) },
    shapes: drawn,
    ip: 0,
    op: LENGTH,
    st: 0,
  };
}

const at = (x: number, y: number): Place => ({ p: still([x, y]) });

/**
 * Returns a text layer. `size` is the font size in the note's units. `side` aligns the text at `x`: 0 starts there, 1 ends there,
 * 2 is centred.
 */
function text(name: string, words: string, given: { font: string; size: number; side: 0 | 1 | 2; x: number; y: number }): object {
  const style = {
    s: given.size,
    f: given.font,
    t: words,
    j: given.side,
    tr: 0,
    lh: 1.15 * given.size,
    ls: 0,
    fc: [0.5, 0.5, 0.5],
  };
  return {
    ty: 5,
    cl: name,
    sr: 1,
    ks: { p: still([given.x, given.y]), a: still([0, 0]), r: still(0), s: still([100, 100]), o: still(100) },
    t: { d: { k: [{ s: style, t: 0 }] }, p: {}, m: { g: 1, a: still([0, 0]) }, a: [] },
    ip: 0,
    op: LENGTH,
    st: 0,
  };
}

const ease = { i: { x: [0.2], y: [1] }, o: { x: [0.6], y: [0] } };

/** Returns the keyframes of a value that changes from `from` to `to` and back. */
const thereAndBack = (from: readonly number[], to: readonly number[]): object => ({
  a: 1,
  k: [
    { t: 0, s: from, ...ease },
    { t: LENGTH / 2, s: to, ...ease },
    { t: LENGTH, s: from },
  ],
});

/** Returns the layers of the whole note. Each torn half shows a part of these layers. */
function face(): object[] {
  const { width, height } = NOTE;
  const [mx, my] = [width / 2, height / 2];
  const half = SMALL_ROSETTE.size / 2;
  const band = waveLines({ width: 592 });
  const frame = (inset: number, radius: number): object => ({
    ty: 'rc',
    p: still([mx, my]),
    s: still([width - 2 * inset, height - 2 * inset]),
    r: still(radius),
  });
  // The rosette looks the same after a quarter turn, so the animation can loop without a jump.
  const turning = {
    a: 1,
    k: [
      { t: 0, s: [0], i: { x: [1], y: [1] }, o: { x: [0], y: [0] } },
      { t: LENGTH, s: [90] },
    ],
  };
  return [
    text('number', '{status}', { font: 'Number', size: 112, side: 2, x: mx, y: 170 }),
    text('serial', 'KX 0000{status}', { font: 'Serial', size: 13, side: 0, x: 40, y: 76 }),
    text('motto', '{motto}', { font: 'Motto', size: 16, side: 1, x: width - 40, y: 78 }),
    text('serial', 'KX 0000{status}', { font: 'Serial', size: 13, side: 1, x: width - 40, y: 206 }),
    shapes('first', [group(paths(band, false), { ...INK, w: still(0.8) })], at(14, 14)),
    shapes('second', [group(paths(band, false), { ...INK, w: still(0.8) })], at(14, height - 44)),
    ...SMALL_ROSETTE.rings.map((ring, index) =>
      shapes(
        index === 0 ? 'first' : 'second',
        [group(paths(rosetteLines({ ...SMALL_ROSETTE, rings: [ring], points: 150 }), true), { ...INK, w: still(0.8) })],
        { p: still([mx, my]), a: still([half, half]), r: turning },
      ),
    ),
    shapes('first', [group([frame(13, 8)], { ...INK, w: still(1) })], at(0, 0)),
    shapes('first', [group([frame(0.75, 16)], { ...INK, w: still(1.5) })], at(0, 0)),
    shapes('paper', [group([frame(0.75, 16)], { ty: 'fl', c: still([1, 1, 1, 1]), o: still(100), r: 1 })], at(0, 0)),
  ].map((layer, index) => ({ ...layer, ind: index + 1 }));
}

/** Returns the layer of one half: the whole note, cut along that half's torn edge. */
function halfOf(side: 'left' | 'right', index: number): object {
  const { width, height, margin } = NOTE;
  const edge = side === 'left' ? LEFT_EDGE : RIGHT_EDGE;
  const far = side === 'left' ? 0 : 1;
  const outline = [[far, 0], ...edge, [far, 1]].map(([x = 0, y = 0]): Point => [x * width, y * height]);
  const sign = side === 'left' ? -1 : 1;
  const middle = [width / 2 + margin, height / 2 + margin];
  const moved = (x: number, y: number): number[] => [(middle[0] ?? 0) + sign * x, (middle[1] ?? 0) - sign * y, 0];
  return {
    ty: 0,
    refId: 'face',
    ind: index,
    sr: 1,
    w: width,
    h: height,
    ks: {
      p: thereAndBack(moved(2, 0), moved(13, 4)),
      a: still([width / 2, height / 2, 0]),
      r: thereAndBack([sign * 0.6], [sign * 2.6]),
      s: still([100, 100, 100]),
      o: still(100),
    },
    hasMask: true,
    masksProperties: [{ mode: 'a', inv: false, pt: still(line(outline, true)), o: still(100), x: still(0) }],
    ip: 0,
    op: LENGTH,
    st: 0,
  };
}

const fontOf = (fName: string, fFamily: string, fWeight: string): object => ({
  fName,
  fFamily,
  fWeight,
  fStyle: fWeight,
  ascent: 75,
  origin: 0,
});

/** Returns the animation as Lottie data. */
export function tornNote(): object {
  return {
    v: '5.13.0',
    fr: PER_SECOND,
    ip: 0,
    op: LENGTH,
    ...FRAME,
    nm: 'torn note',
    ddd: 0,
    assets: [{ id: 'face', layers: face() }],
    // The page's own fonts, by whose widths the player places the letters.
    fonts: {
      list: [
        fontOf('Number', "'Source Serif 4'", '600'),
        fontOf('Motto', "'Source Serif 4'", '600'),
        fontOf('Serial', "'JetBrains Mono Variable'", '500'),
      ],
    },
    layers: [halfOf('left', 1), halfOf('right', 2)],
  };
}
