// Current prices: made from this process's inputs, and cached until the inputs change.

import { Problem } from '@kurs/contract';
import type { Fraction, Money } from '@kurs/money';
import { type Snapshot, latest, now } from '../../rates/index.ts';
import type { RefundTerms } from './bounds.ts';
import type { Direction } from '../directions/direction.ts';
import { type Carried, type PriceInputs, knownOf } from '../known/known.ts';
import type { PriceContext } from './context.ts';
import { type DirectionClosed, type Priced, type Unpriced, closedAt, makePrice, refundTermsIn, reserveIn } from './make-price.ts';
import { type View, currentView } from '../known/view.ts';

interface PriceCache {
  readonly view: View;
  readonly snapshot: Snapshot | undefined;
  readonly known: PriceInputs;
  /** Cached prices, by direction and by the key of their context. */
  readonly prices: Map<Direction, Map<string, Priced>>;
}

/** Maximum number of cached prices of a direction: enough for all levels and the most common discounts. */
const MAX_STORED = 100;

let cached: PriceCache | undefined;

function storedNow(): PriceCache {
  const [view, snapshot] = [currentView(), latest()];
  if (cached?.view !== view || cached.snapshot !== snapshot)
    cached = { view, snapshot, known: knownOf(view, snapshot), prices: new Map() };
  return cached;
}

/** Returns the current price inputs of this process. Throws `unavailable` if the view was not read yet. */
export const knownNow = (): PriceInputs => storedNow().known;

/**
 * Returns the current price of a direction in a context; by default that of a visitor. Until the inputs change, the price is made
 * once for all customers with the same level and discounts.
 */
export function price(direction: Direction, context: PriceContext = {}): Priced | Unpriced {
  const { known, prices } = storedNow();
  const key = keyOf(context);
  if (key === undefined) return makePrice(known, direction, context);
  let own = prices.get(direction);
  const found = own?.get(key);
  if (found) return found;
  const made = makePrice(known, direction, context);
  if (!('terms' in made)) return made;
  if (!own || own.size >= MAX_STORED) prices.set(direction, (own = new Map()));
  own.set(key, made);
  return made;
}

/** Returns the cache key of a context; undefined if the context has the sending cost of one particular account, which isn't cached. */
function keyOf({ level = 0, sending, wallet, discounts, rewards, purpose }: PriceContext): string | undefined {
  if (sending) return undefined;
  if (!wallet && !purpose && !rewards && !discounts?.length) return String(level);
  const requests = (discounts ?? []).map(
    ({ kind, percent, worth }) => `${kind} ${shareKey(percent)} ${worth?.unit} ${worth?.parts}`,
  );
  return [level, wallet, purpose, shareKey(rewards), ...requests].join('|');
}

const shareKey = (share: Fraction | undefined): string => (share ? `${share.numerator}/${share.denominator}` : '');

/** Returns the reason why a direction takes no new orders now; undefined if it is open. */
export function closedNow(direction: Direction, context: PriceContext = {}): DirectionClosed | undefined {
  return closedAt(price(direction, context), now().getTime());
}

/** Returns the problem to throw for a closed direction. */
export function closedProblem(reason: DirectionClosed): Problem {
  return new Problem(reason.startsWith('rates') ? 'rates_unavailable' : 'direction_closed', { params: { reason } });
}

/** Returns the amount that the desk can promise in a currency now. */
export const reserveOf = (code: string): Money => reserveIn(knownNow(), carriedNow(code));

/** Returns the cost of a refund in a currency and the smallest refund. Undefined while the network's cost or its rate is unknown. */
export const refundTerms = (code: string): RefundTerms | undefined => refundTermsIn(knownNow(), carriedNow(code));

function carriedNow(code: string): Carried {
  const found = knownNow().carried.get(code);
  if (!found) throw new Problem('internal', { cause: new Error(`No rail carries ${code}`) });
  return found;
}
