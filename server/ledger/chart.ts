// The chart of accounts: the only place that spells an account's name, its class and its bounds.
//
// Stored balance = what came in − what went out, so a `held` or `spent` account stands at or below zero as stored and
// is shown with the sign turned. A promise can be refused by a bound; a fact never is: it ends in `receivable`,
// `spent:loss`, `owed` or `suspense`, which take whatever comes.

/**
 * - `held`: what we have: money at a place, claims on others. Stored ≤ 0.
 * - `owed`: what belongs to others. Stored ≥ 0.
 * - `own`: what is the desk's. Stored ≥ 0, apart from income and suspense, which may pass zero.
 * - `spent`: the desk's money that is gone since the last close. Stored ≤ 0; counts against `own`.
 */
export type AccountClass = 'held' | 'owed' | 'own' | 'spent';

/**
 * One account of one unit. Its name is its identity: the same name is always the same account, and the row is made when
 * it is first posted to. `floor` and `ceiling` bound the stored balance; null = no bound.
 */
export interface AccountRef<U extends string = string> {
  readonly name: string;
  readonly unit: U;
  readonly class: AccountClass;
  readonly floor: bigint | null;
  readonly ceiling: bigint | null;
}

/**
 * Where held money stands: payable now · addresses not yet swept · between two places · cold · gas and TRX to burn ·
 * TRX frozen for energy · captured but not spendable · at a provider that froze or died.
 */
export type Place = 'hot' | 'deposit' | 'transit' | 'cold' | 'fuel' | 'staked' | 'pending' | 'stuck';

/** Miner fees and energy · providers' fees and disputes · price cuts · reversals and write-offs. */
export type SpentKind = 'network' | 'rail' | 'discount' | 'loss';

export type IncomeKind = 'spread' | 'fee' | 'gate';

export type PromoKind = 'affiliate' | 'earn' | 'late';

const NAME = /^[A-Za-z0-9_.-]{1,64}(?::[A-Za-z0-9_.-]{1,64})*$/;

/** Joins the pieces of a name. Throws a RangeError for a piece that could be read as another account's. */
function nameOf(pieces: readonly string[]): string {
  const name = pieces.join(':');
  if (!NAME.test(name) || pieces.some((piece) => piece.includes(':')))
    throw new RangeError(`Not the pieces of an account's name: ${name}`);
  return name;
}

function held<U extends string>(unit: U, ...pieces: string[]): AccountRef<U> {
  return { name: nameOf(pieces), unit, class: 'held', floor: null, ceiling: 0n };
}

function spent<U extends string>(unit: U, ...pieces: string[]): AccountRef<U> {
  return { name: nameOf(pieces), unit, class: 'spent', floor: null, ceiling: 0n };
}

function owed<U extends string>(unit: U, ...pieces: string[]): AccountRef<U> {
  return { name: nameOf(pieces), unit, class: 'owed', floor: 0n, ceiling: null };
}

function own<U extends string>(unit: U, ...pieces: string[]): AccountRef<U> {
  return { name: nameOf(pieces), unit, class: 'own', floor: 0n, ceiling: null };
}

function unbounded<U extends string>(unit: U, ...pieces: string[]): AccountRef<U> {
  return { name: nameOf(pieces), unit, class: 'own', floor: null, ceiling: null };
}

/** Every account there is. Ids, parties, rails and units are letters, digits, `_`, `.`, `-`; others throw a RangeError. */
export const accounts = {
  /** Our money at a place, per currency (one unit may lie on several chains). Reconciled against the rail. */
  custody: <U extends string>(currency: string, place: Place, unit: U) => held(unit, 'custody', currency, place),
  /** What a customer, merchant or affiliate owes us after a reversal. */
  receivable: <U extends string>(party: string, unit: U) => held(unit, 'receivable', party, unit),
  /** Gone since the last close, which pays it from `desk:free` or `desk:fuel`. */
  spent: <U extends string>(kind: SpentKind, unit: U) => spent(unit, 'spent', kind, unit),

  /** Arrived for an order, not yet exchanged. */
  orderIn: <U extends string>(order: string, unit: U) => owed(unit, 'order', order, 'in', unit),
  /** Exchanged, not yet sent: the only source of a payout. */
  orderOut: <U extends string>(order: string, unit: U) => owed(unit, 'order', order, 'out', unit),
  /** The desk's money promised to an order. */
  orderReserve: <U extends string>(order: string, unit: U) => own(unit, 'order', order, 'reserve', unit),
  /** One intent to send (payout, refund, withdrawal, capital), perhaps gone. */
  payout: <U extends string>(intent: string, unit: U) => owed(unit, 'payout', intent, unit),
  /** Money without an order. */
  stray: <U extends string>(id: string, unit: U) => owed(unit, 'stray', id, unit),
  /** Money without an account to go to. */
  unclaimed: <U extends string>(id: string, unit: U) => owed(unit, 'unclaimed', id, unit),
  /** Money held by law. */
  frozen: <U extends string>(caseId: string, unit: U) => owed(unit, 'frozen', caseId, unit),

  /** A user's money: available. */
  wallet: <U extends string>(user: string, unit: U) => owed(unit, 'wallet', user, unit),
  /** A user's money: asked to leave. */
  walletHeld: <U extends string>(user: string, unit: U) => owed(unit, 'wallet', user, unit, 'held'),
  /** A user's money: reversible, not matured. */
  walletUncleared: <U extends string>(user: string, unit: U) => owed(unit, 'wallet', user, unit, 'uncleared'),

  /** Arrived for an invoice. */
  invoiceIn: <U extends string>(invoice: string, unit: U) => owed(unit, 'invoice', invoice, 'in', unit),
  /** Converted to the settlement unit, the invoice not complete. */
  invoiceSet: <U extends string>(invoice: string, unit: U) => owed(unit, 'invoice', invoice, 'set', unit),
  /** The desk's money set aside when an invoice's payment is seen. */
  invoiceReserve: <U extends string>(invoice: string, unit: U) => own(unit, 'invoice', invoice, 'reserve', unit),
  /** A merchant's money: available. */
  merchant: <U extends string>(merchant: string, unit: U) => owed(unit, 'merchant', merchant, unit),
  /** A merchant's money: rolling reserve. */
  merchantReserve: <U extends string>(merchant: string, unit: U) => owed(unit, 'merchant', merchant, unit, 'reserve'),
  /** A merchant's refund whose link is open. */
  refund: <U extends string>(id: string, unit: U) => owed(unit, 'refund', id, unit),

  /** An affiliate's rewards that may still be taken back. */
  affiliatePending: <U extends string>(user: string, unit: U) => owed(unit, 'affiliate', user, 'pending', unit),
  /** An affiliate's matured rewards. */
  affiliateAvailable: <U extends string>(user: string, unit: U) => owed(unit, 'affiliate', user, 'available', unit),
  /** A user's prizes. */
  earn: <U extends string>(user: string, unit: U) => owed(unit, 'earn', user, unit),
  /** What is left on a fixed or late coupon. */
  coupon: <U extends string>(id: string, unit: U) => owed(unit, 'coupon', id, unit),
  /** A rail's overdraft (a provider's balance below zero). */
  owedRail: <U extends string>(rail: string, unit: U) => owed(unit, 'owed', rail, unit),

  /** The trading account: the desk's free money, the reserve's first bound. */
  deskFree: <U extends string>(unit: U) => own(unit, 'desk', 'free', unit),
  /** Set aside for gas. */
  deskFuel: <U extends string>(unit: U) => own(unit, 'desk', 'fuel', unit),
  /** A funded pot for rewards. */
  promo: <U extends string>(kind: PromoKind, unit: U) => own(unit, 'promo', kind, unit),
  /** Set aside for chargebacks. */
  provisionReversal: <U extends string>(unit: U) => own(unit, 'provision', 'reversal', unit),
  /** Earned since the last close; below zero after a reversal that follows it. */
  income: <U extends string>(kind: IncomeKind, unit: U) => unbounded(unit, 'income', kind, unit),
  /** A difference nobody has explained yet, either way. */
  suspense: <U extends string>(unit: U) => unbounded(unit, 'suspense', unit),
};

/** 1 where the stored balance is shown as it is, −1 where it is shown with the sign turned (held, spent). */
export function shownSign(accountClass: AccountClass): 1n | -1n {
  return accountClass === 'held' || accountClass === 'spent' ? -1n : 1n;
}
