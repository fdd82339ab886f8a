import { type Input, type Output, Problem, type Routes, fieldProblem } from '@kurs/contract';
import { type Money, decimal, format } from '@kurs/money';
import { openPromises } from '../../exchange/index.ts';
import type { Db } from '../../platform/index.ts';
import {
  type Direction,
  type DirectionChange,
  type DirectionInput,
  type PriceChange,
  type QuoteChange,
  currentView,
  previewChange,
  saveDirection,
  saveRailCost,
} from '../../pricing/index.ts';
import { pegOf, setPeg } from '../../rates/index.ts';
import type { Person } from '../people/roles.ts';
import { type Acted, type Wanted, actAs } from '../people/two-people.ts';

type Wire = Output<Routes['operatorPrices']>;
type Given = Input<Routes['operatorPrices']>;

/**
 * Shows what a change of prices would do to quotes, and lets the same change go live where `apply` is said. A change that
 * gives customers much more takes two people. Throws `direction_unknown`, `validation` as saving does, and as `actAs`.
 */
export async function changePrices(db: Db, person: Person, input: Given): Promise<Wire> {
  const change = changeOf(input);
  const preview = previewChange(change);
  const people = preview.isLarge ? 2 : 1;
  const shown = {
    people,
    ...(preview.cycle && { cycle: [...preview.cycle] }),
    directions: await Promise.all(preview.directions.map((one) => wireOf(db, one))),
  };
  if (!input.apply) return { status: 'preview', ...shown };
  if (input.reason === undefined) throw fieldProblem('reason', 'required');
  const { subject, about } = subjectOf(change);
  const check = (): void => {
    if (preview.cycle) throw fieldProblem('spread', 'table_gains', { cycle: preview.cycle.join(' → ') });
  };
  const wanted: Wanted = {
    act: 'prices',
    subject,
    about,
    reason: input.reason,
    permission: 'prices.change',
    people,
    body: change,
    check,
  };
  const acted = await db.tx((tx) =>
    actAs(tx, person, wanted, async (by) => {
      if (change.cost) await saveRailCost(tx, change.cost, by.join(', '));
      if (change.direction) await saveDirection(tx, change.direction, by.join(', '));
    }),
  );
  return { ...acted, ...shown };
}

/** The whole of what is to be: what isn't named of a direction stays as it is. Throws `direction_unknown`, `validation`. */
function changeOf({ direction, cost }: Given): PriceChange {
  if (!direction && !cost) throw fieldProblem('direction', 'required');
  return {
    ...(direction && { direction: wholeOf(direction) }),
    ...(cost && {
      cost: {
        currency: cost.currency,
        side: cost.side,
        percent: cost.percent ?? null,
        fixed: cost.fixed ?? null,
        min: cost.min ?? null,
        cap: cost.cap ?? null,
      },
    }),
  };
}

function wholeOf(given: NonNullable<Given['direction']>): DirectionInput {
  const { directions } = currentView();
  const known = directions.find(({ slug }) => slug === given.slug);
  const [from, to, spread] = [given.from ?? known?.from, given.to ?? known?.to, given.spread ?? known?.spread];
  if (from === undefined || to === undefined || !spread) throw new Problem('direction_unknown');
  return {
    slug: given.slug,
    from,
    to,
    spread: [...spread],
    costs: [...(known?.costs ?? [])],
    min: given.min === undefined ? (known?.min ?? null) : given.min,
    max: given.max === undefined ? (known?.max ?? null) : given.max,
    isOn: given.open ?? known?.isOn ?? false,
    position: known?.position ?? 9_000,
  };
}

/** What two people agree on is a change of the direction and the line as they stood. */
function subjectOf({ direction, cost }: PriceChange): { subject: string; about: string } {
  const { directions, railCosts } = currentView();
  const known: Direction | undefined = directions.find(({ slug }) => slug === direction?.slug);
  const line = railCosts.find(({ currency, side }) => currency === cost?.currency && side === cost.side);
  const subject = [direction?.slug, cost && `${cost.currency} ${cost.side}`].filter((part) => part !== undefined).join(', ');
  return { subject, about: `${known?.version ?? 0} ${line?.version ?? 0}` };
}

async function wireOf(db: Db, one: DirectionChange): Promise<Wire['directions'][number]> {
  const { direction, before, after, closedBefore, closedAfter } = one;
  const promised = await openPromises(db, direction.from, direction.to);
  const bounds = (priced: typeof after, closed: string | undefined) =>
    priced && {
      min: format(priced.bounds.min, priced.terms.giveDigits),
      max: format(priced.bounds.max, priced.terms.giveDigits),
      ...(closed !== undefined && { closed }),
    };
  const [was, will] = [bounds(before, closedBefore), bounds(after, closedAfter)];
  return {
    slug: direction.slug,
    from: direction.from,
    to: direction.to,
    ...(was && { before: was }),
    ...(will && { after: will }),
    quotes: after ? one.quotes.map((quote) => quoteWireOf(quote, after.terms)) : [],
    held_quotes: promised.quotes,
    open_orders: promised.orders,
  };
}

function quoteWireOf(
  { give, before, after, keeps, holdsFloor }: QuoteChange,
  digits: { readonly giveDigits: number; readonly getDigits: number },
): Wire['directions'][number]['quotes'][number] {
  const given = (amount: Money) => format(amount, digits.giveDigits);
  const got = (amount: Money) => format(amount, digits.getDigits);
  return {
    give: given(give),
    ...(before && { before: got(before.get) }),
    ...(after && { after: got(after.get) }),
    ...(keeps && { keeps: given(keeps) }),
    floor: holdsFloor,
  };
}

const LONGEST_PEG_MS = 7 * 24 * 3_600_000;
/** A peg that moves by more percent than this takes two people, and so does the first one. */
const PEG_MOVES = 3n;

/**
 * Says what an asset without a market is worth until a moment within a week; after it its directions are closed. Throws
 * `validation`: on `asset` for one that markets price, on `until`, on `usd` for nothing; and as `actAs`.
 */
export async function peg(db: Db, person: Person, input: Input<Routes['operatorPeg']>): Promise<Acted> {
  const { asset, usd, reason } = input;
  if (/^[0.]*$/.test(usd)) throw fieldProblem('usd', 'wrong_value');
  return db.tx(async (tx) => {
    const until = new Date(input.until);
    const left = until.getTime() - tx.now.getTime();
    if (left <= 0 || left > LONGEST_PEG_MS) throw fieldProblem('until', 'wrong_value');
    const known = await pegOf(tx, asset);
    if (!known) throw fieldProblem('asset', 'wrong_value');
    const people = known.usd !== null && isNear(known.usd, usd) ? 1 : 2;
    const wanted: Wanted = {
      act: 'peg',
      subject: asset,
      about: known.usd ?? '',
      reason,
      permission: 'prices.change',
      people,
      body: input,
    };
    return actAs(tx, person, wanted, async () => setPeg(tx, asset, usd, until));
  });
}

/** Whether two sums of USD differ by at most so many percent of the first. */
function isNear(before: string, after: string): boolean {
  const [a, b] = [decimal(before), decimal(after)];
  const [old, fresh] = [a.numerator * b.denominator, b.numerator * a.denominator];
  return (fresh > old ? fresh - old : old - fresh) * 100n <= old * PEG_MOVES;
}
