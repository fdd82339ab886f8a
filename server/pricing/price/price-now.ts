// Prices as they are now: made of what this process knows, and kept until it knows something else.

import { Problem } from '@kurs/contract';
import type { Fraction, Money } from '@kurs/money';
import { type Snapshot, latest, now } from '../../rates/index.ts';
import type { RefundTerms } from './bounds.ts';
import type { Direction } from '../directions/direction.ts';
import { type Carried, type Known, knownOf } from '../known/known.ts';
import type { PriceContext } from './context.ts';
import { type DirectionClosed, type Priced, type Unpriced, closedAt, makePrice, refundTermsIn, reserveIn } from './make-price.ts';
import { type View, currentView } from '../known/view.ts';

interface Kept {
  readonly view: View;
  readonly snapshot: Snapshot | undefined;
  readonly known: Known;
  /** By direction, and by what prices of one differ by. */
  readonly prices: Map<Direction, Map<string, Priced>>;
}

/** Prices of a direction that are kept at once: of each level, and of the discounts that most ask with. */
const MOST_KEPT = 100;

let kept: Kept | undefined;

function keptNow(): Kept {
  const [view, snapshot] = [currentView(), latest()];
  if (kept?.view !== view || kept.snapshot !== snapshot)
    kept = { view, snapshot, known: knownOf(view, snapshot), prices: new Map() };
  return kept;
}

/** What this process knows of prices now. Throws `unavailable` before it has read anything. */
export const knownNow = (): Known => keptNow().known;

/**
 * The price of a direction now, for a visitor or by a context; made once for all who are of a level and are let off the same,
 * as long as nothing changes.
 */
export function price(direction: Direction, context: PriceContext = {}): Priced | Unpriced {
  const { known, prices } = keptNow();
  const key = keyOf(context);
  if (key === undefined) return makePrice(known, direction, context);
  let own = prices.get(direction);
  const found = own?.get(key);
  if (found) return found;
  const made = makePrice(known, direction, context);
  if (!('terms' in made)) return made;
  if (!own || own.size >= MOST_KEPT) prices.set(direction, (own = new Map()));
  own.set(key, made);
  return made;
}

/** All that a context changes of a price, as a key; undefined where what it costs to send is known for one account alone. */
function keyOf({ level = 0, sending, wallet, discounts, rewards, purpose }: PriceContext): string | undefined {
  if (sending) return undefined;
  if (!wallet && !purpose && !rewards && !discounts?.length) return String(level);
  const asked = (discounts ?? []).map(
    ({ kind, percent, worth }) => `${kind} ${shareKey(percent)} ${worth?.unit} ${worth?.parts}`,
  );
  return [level, wallet, purpose, shareKey(rewards), ...asked].join('|');
}

const shareKey = (share: Fraction | undefined): string => (share ? `${share.numerator}/${share.denominator}` : '');

/** Why a direction takes nothing new of somebody now, or undefined while it is open. */
export function closedNow(direction: Direction, context: PriceContext = {}): DirectionClosed | undefined {
  return closedAt(price(direction, context), now().getTime());
}

/** The problem that a closed direction is told as. */
export function closedProblem(reason: DirectionClosed): Problem {
  return new Problem(reason.startsWith('rates') ? 'rates_unavailable' : 'direction_closed', { params: { reason } });
}

/** What the desk can promise in a currency now. */
export const reserveOf = (code: string): Money => reserveIn(knownNow(), carriedNow(code));

/** What a refund in a currency costs and the smallest one, or undefined while the network's cost is not known. */
export const refundTerms = (code: string): RefundTerms | undefined => refundTermsIn(knownNow(), carriedNow(code));

function carriedNow(code: string): Carried {
  const found = knownNow().carried.get(code);
  if (!found) throw new Problem('internal', { cause: new Error(`No rail carries ${code}`) });
  return found;
}
