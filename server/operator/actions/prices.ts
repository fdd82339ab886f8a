import { type Input, type Output, Problem, type Routes, fieldProblem } from '@kurs/contract';
import { type Money, decimal, format } from '@kurs/money';
import { openPromises } from '../../exchange/index.ts';
import type { Db, Statements } from '../../platform/index.ts';
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
 * Previews the effect of a price change on quotes, and makes the change if `apply` is set. A change that gives customers much
 * more or much less takes two people. Throws `direction_unknown`, `validation`, and the errors of `actAs`.
 */
export async function changePrices(db: Db, person: Person, input: Given): Promise<Wire> {
  const change = changeOf(input);
  return db.tx(async (tx) => {
    const { directions, cycle, large } = await previewChange(tx, change);
    const people = large ? 2 : 1;
    const shown = {
      people,
      ...(large && { two_since: large }),
      ...(cycle && { cycle: [...cycle] }),
      directions: await Promise.all(directions.map((one) => wireOf(tx, one))),
    };
    if (!input.apply) return { status: 'preview' as const, ...shown };
    if (input.reason === undefined) throw fieldProblem('reason', 'required');
    const { subject, about } = subjectOf(change);
    const check = (): void => {
      if (cycle) throw fieldProblem('spread', 'table_gains', { cycle: cycle.join(' → ') });
    };
    const wanted: Wanted = {
      action: 'prices',
      subject,
      about,
      reason: input.reason,
      permission: 'prices.change',
      people,
      body: change,
      check,
    };
    const acted = await actAs(tx, person, wanted, async (by) => {
      if (change.cost) await saveRailCost(tx, change.cost, by.join(', '));
      if (change.direction) await saveDirection(tx, change.direction, by.join(', '));
    });
    return { ...acted, ...shown };
  });
}

/**
 * Returns the complete new values of a change. Missing fields of an existing direction keep their values. Throws
 * `direction_unknown` and `validation`.
 */
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

/** Returns the action's subject, and the current versions of the direction and the cost that a request is bound to. */
function subjectOf({ direction, cost }: PriceChange): { subject: string; about: string } {
  const { directions, railCosts } = currentView();
  const known: Direction | undefined = directions.find(({ slug }) => slug === direction?.slug);
  const line = railCosts.find(({ currency, side }) => currency === cost?.currency && side === cost.side);
  const subject = [direction?.slug, cost && `${cost.currency} ${cost.side}`].filter((part) => part !== undefined).join(', ');
  return { subject, about: `${known?.version ?? 0} ${line?.version ?? 0}` };
}

/** Returns the preview of one direction that a change affects, as the desk sees it. */
export async function wireOf(db: Statements, one: DirectionChange): Promise<Wire['directions'][number]> {
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
  { give, dayAgo, before, after, keeps, isFloorHeld }: QuoteChange,
  digits: { readonly giveDigits: number; readonly getDigits: number },
): Wire['directions'][number]['quotes'][number] {
  const given = (amount: Money) => format(amount, digits.giveDigits);
  const got = (amount: Money) => format(amount, digits.getDigits);
  return {
    give: given(give),
    ...(dayAgo && { day_ago: got(dayAgo.get) }),
    ...(before && { before: got(before.get) }),
    ...(after && { after: got(after.get) }),
    ...(keeps && { keeps: given(keeps) }),
    floor: isFloorHeld,
  };
}

const DAY_MS = 24 * 3_600_000;
const LONGEST_PEG_MS = 7 * DAY_MS;
/** A peg that moves by more percent than this within a day takes two people. The first peg of an asset always takes two. */
const PEG_MOVES = 3n;

/**
 * Sets a price for an asset that has no market price, until a moment at most a week away. After that moment the asset's
 * directions are closed. Throws `validation` at `asset` if the asset has a market price, at `until`, and at `usd` for zero.
 * Throws the errors of `actAs`.
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
    // Compares also with the price of a day ago: several small moves within a day are treated as one large move.
    const dayAgo = await saidBefore(tx, asset, new Date(tx.now.getTime() - DAY_MS));
    const people = [known.usd, dayAgo ?? known.usd].every((one) => one !== null && isNear(one, usd)) ? 1 : 2;
    const wanted: Wanted = {
      action: 'peg',
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

/**
 * Returns the price that people last set for an asset before a moment. If there is none, returns the first price that people
 * set after that moment. Undefined if nobody ever set a price.
 */
async function saidBefore(tx: Statements, asset: string, at: Date): Promise<string | undefined> {
  const row = await tx.row<{ usd: string }>(
    `select body ->> 'usd' as usd from audit where action = 'peg' and subject = $1 and outcome = 'done'
     order by at <= $2 desc, case when at <= $2 then at end desc, at limit 1`,
    [asset, at],
  );
  return row?.usd;
}

/** True if two sums of USD differ by at most `PEG_MOVES` percent of the first. */
function isNear(before: string, after: string): boolean {
  const [a, b] = [decimal(before), decimal(after)];
  const [old, fresh] = [a.numerator * b.denominator, b.numerator * a.denominator];
  return (fresh > old ? fresh - old : old - fresh) * 100n <= old * PEG_MOVES;
}
