// The chart of accounts: the only place that defines accounts' names, classes and bounds.
//
// An account's stored balance is the money moved into the account less the money moved out of it. A `held` or `spent` account
// is therefore stored at or below zero, and shown with the opposite sign. Bounds may refuse a promise, but not something that
// has already happened. Money that has already moved is posted to `receivable`, `spent:loss`, `owed` or `suspense`, which
// accept any amount.

/**
 * Class of an account:
 * - `held`: the desk's holdings, which are money at a place and claims on others. Stored ≤ 0
 * - `owed`: money that belongs to others. Stored ≥ 0
 * - `own`: the desk's own money. Stored ≥ 0, except income and suspense, which may be below zero
 * - `spent`: own money spent since the books were last closed. Stored ≤ 0; reduces the own money
 */
export type AccountClass = 'held' | 'owed' | 'own' | 'spent';

/**
 * An account in one unit, identified by its name. The first posting to an account creates its database row. `floor` and
 * `ceiling` are the bounds of the stored balance; null means no bound.
 */
export interface AccountRef<U extends string = string> {
  readonly name: string;
  readonly unit: U;
  readonly class: AccountClass;
  readonly floor: bigint | null;
  readonly ceiling: bigint | null;
}

/**
 * Place of held money:
 * - `hot`: can be paid out now
 * - `deposit`: at customers' addresses, not yet swept
 * - `transit`: on the way between two places
 * - `cold`: in cold storage
 * - `fuel`: gas, or TRX to burn
 * - `staked`: TRX frozen for energy
 * - `pending`: captured but not yet spendable
 * - `stuck`: at a provider that froze it or went out of business
 */
export type Place = 'hot' | 'deposit' | 'transit' | 'cold' | 'fuel' | 'staked' | 'pending' | 'stuck';

/**
 * Kind of expense: `network` for miner fees and energy, `rail` for providers' fees and disputes, `discount` for discounts,
 * `loss` for reversals and write-offs.
 */
export type SpentKind = 'network' | 'rail' | 'discount' | 'loss';

export type IncomeKind = 'spread' | 'fee' | 'gate';

export type PromoKind = 'affiliate' | 'earn' | 'late';

const PIECE = /^[A-Za-z0-9_.-]{1,64}$/;
const NAME = /^[A-Za-z0-9_.-]{1,64}(?::[A-Za-z0-9_.-]{1,64})*$/;

const HELD = ['held', null, 0n] as const;
const SPENT = ['spent', null, 0n] as const;
const OWED = ['owed', 0n, null] as const;
const OWN = ['own', 0n, null] as const;
const UNBOUNDED = ['own', null, null] as const;

/**
 * All account types: the pattern of their accounts' names (`*` an id, `$` the unit), class, floor and ceiling. Names of custody
 * accounts contain the currency, which implies the unit. A type is named after the fixed pieces of the pattern: `order:in`,
 * `custody:hot`, `wallet`.
 */
const ACCOUNT_TYPES = {
  'custody:hot': ['custody:*:hot', ...HELD],
  'custody:deposit': ['custody:*:deposit', ...HELD],
  'custody:transit': ['custody:*:transit', ...HELD],
  'custody:cold': ['custody:*:cold', ...HELD],
  'custody:fuel': ['custody:*:fuel', ...HELD],
  'custody:staked': ['custody:*:staked', ...HELD],
  'custody:pending': ['custody:*:pending', ...HELD],
  'custody:stuck': ['custody:*:stuck', ...HELD],
  receivable: ['receivable:*:$', ...HELD],
  'spent:network': ['spent:network:$', ...SPENT],
  'spent:rail': ['spent:rail:$', ...SPENT],
  'spent:discount': ['spent:discount:$', ...SPENT],
  'spent:loss': ['spent:loss:$', ...SPENT],
  'order:in': ['order:*:in:$', ...OWED],
  'order:out': ['order:*:out:$', ...OWED],
  'order:reserve': ['order:*:reserve:$', ...OWN],
  payout: ['payout:*:$', ...OWED],
  unallocated: ['unallocated:*:$', ...OWED],
  unclaimed: ['unclaimed:*:$', ...OWED],
  frozen: ['frozen:*:$', ...OWED],
  wallet: ['wallet:*:$', ...OWED],
  'wallet:held': ['wallet:*:$:held', ...OWED],
  'wallet:uncleared': ['wallet:*:$:uncleared', ...OWED],
  'invoice:in': ['invoice:*:in:$', ...OWED],
  'invoice:set': ['invoice:*:set:$', ...OWED],
  'invoice:reserve': ['invoice:*:reserve:$', ...OWN],
  merchant: ['merchant:*:$', ...OWED],
  'merchant:reserve': ['merchant:*:$:reserve', ...OWED],
  refund: ['refund:*:$', ...OWED],
  'affiliate:pending': ['affiliate:*:pending:$', ...OWED],
  'affiliate:available': ['affiliate:*:available:$', ...OWED],
  earn: ['earn:*:$', ...OWED],
  coupon: ['coupon:*:$', ...OWED],
  owed: ['owed:*:$', ...OWED],
  'desk:free': ['desk:free:$', ...OWN],
  'desk:fuel': ['desk:fuel:$', ...OWN],
  'promo:affiliate': ['promo:affiliate:$', ...OWN],
  'promo:earn': ['promo:earn:$', ...OWN],
  'promo:late': ['promo:late:$', ...OWN],
  'provision:reversal': ['provision:reversal:$', ...OWN],
  'income:spread': ['income:spread:$', ...UNBOUNDED],
  'income:fee': ['income:fee:$', ...UNBOUNDED],
  'income:gate': ['income:gate:$', ...UNBOUNDED],
  suspense: ['suspense:$', ...UNBOUNDED],
} as const satisfies Record<string, readonly [shape: string, AccountClass, floor: bigint | null, ceiling: bigint | null]>;

/** Name of an account type: the fixed pieces of its accounts' names, without id and unit. */
export type AccountType = keyof typeof ACCOUNT_TYPES;

/**
 * Account types of the legs of an exchange. `given`: the customer's money; `promised`: the desk's money promised to the order;
 * `got`: money to pay out; `free`: the desk's free money; `fee`: costs passed on to the customer.
 */
export const EXCHANGED = {
  given: 'order:in',
  promised: 'order:reserve',
  got: 'order:out',
  free: 'desk:free',
  fee: 'income:fee',
} as const satisfies Record<string, AccountType>;

/** Definition of an account type: the pattern of its accounts' names, and their class and bounds. */
export interface AccountTypeRules {
  readonly type: AccountType;
  /** Pieces of the name: `*` for an id, `$` for the unit; all others are fixed. */
  readonly shape: readonly string[];
  readonly class: AccountClass;
  readonly floor: bigint | null;
  readonly ceiling: bigint | null;
}

const RULES: ReadonlyMap<AccountType, AccountTypeRules> = new Map(
  (Object.entries(ACCOUNT_TYPES) as [AccountType, (typeof ACCOUNT_TYPES)[AccountType]][]).map(
    ([type, [shape, cls, floor, ceiling]]) => [type, { type, shape: shape.split(':'), class: cls, floor, ceiling }],
  ),
);

/** Returns the definitions of all account types. */
export const accountTypeRules = (): readonly AccountTypeRules[] => [...RULES.values()];

/** Placeholders in `AccountTypeRules.shape`. */
const WILD: ReadonlySet<string> = new Set(['*', '$']);

/**
 * Returns the account of a type with this unit and id. Throws a RangeError for an id or unit that could make the name look like
 * another account's.
 */
function account<U extends string>(type: AccountType, unit: U, id = ''): AccountRef<U> {
  const { shape, class: accountClass, floor, ceiling } = RULES.get(type) as AccountTypeRules;
  let name = '';
  for (const piece of shape) {
    const said = piece === '*' ? id : piece === '$' ? unit : piece;
    if (WILD.has(piece) && !PIECE.test(said)) throw new RangeError(`Not a piece of an account's name: ${said} in ${type}`);
    name += name === '' ? said : `:${said}`;
  }
  return { name, unit, class: accountClass, floor, ceiling };
}

const BY_HEAD = Map.groupBy(RULES.values(), ({ shape }) => shape[0] as string);

/** Parsed name of an account. */
export interface Named {
  readonly rules: AccountTypeRules;
  readonly id: string | undefined;
  /**
   * Unit in the name. Undefined for custody: there `id` is a currency, and the unit is the part before the underscore (`USDT` of
   * `USDT_ERC20`).
   */
  readonly unit: string | undefined;
}

/** Parses an account's name. Returns undefined if the chart has no such account. */
export function readName(name: string): Named | undefined {
  const pieces = name.split(':');
  if (!NAME.test(name)) return undefined;
  const rules = BY_HEAD.get(pieces[0] as string)?.find(
    ({ shape }) => shape.length === pieces.length && shape.every((piece, at) => WILD.has(piece) || piece === pieces[at]),
  );
  if (!rules) return undefined;
  const at = (wild: string): string | undefined => pieces[rules.shape.indexOf(wild)];
  return { rules, id: at('*'), unit: at('$') };
}

const typesByName = new Map<string, AccountType>();
const REMEMBERED = 100_000;

/** Returns the type of an account. Throws a RangeError for an account that the chart doesn't have. */
export function accountTypeOf({ name }: Pick<AccountRef, 'name'>): AccountType {
  let type = typesByName.get(name);
  if (type === undefined) {
    type = readName(name)?.rules.type;
    if (type === undefined) throw new RangeError(`The chart knows no account ${name}`);
    if (typesByName.size >= REMEMBERED) typesByName.clear();
    typesByName.set(name, type);
  }
  return type;
}

/**
 * Functions that return accounts. Ids, parties, rails and units may contain letters, digits, `_`, `.` and `-`; any other
 * character throws a RangeError.
 */
export const accounts = {
  /**
   * The desk's holdings of a currency at a place. There is one account per currency, since one unit may lie on several chains.
   * The account is reconciled with the rail.
   */
  custody: <U extends string>(currency: string, place: Place, unit: U) => account(`custody:${place}`, unit, currency),
  /** Debt of a customer, merchant or affiliate after a reversal. */
  receivable: <U extends string>(party: string, unit: U) => account('receivable', unit, party),
  /**
   * Expenses since the books were last closed. When the books are closed, money of `desk:free` or `desk:fuel` covers the
   * expenses.
   */
  spent: <U extends string>(kind: SpentKind, unit: U) => account(`spent:${kind}`, unit),

  /** Money that arrived for an order and is not yet exchanged. */
  orderIn: <U extends string>(order: string, unit: U) => account('order:in', unit, order),
  /** Money that was exchanged for an order and is not yet sent: the only source of its payout. */
  orderOut: <U extends string>(order: string, unit: U) => account('order:out', unit, order),
  /** The desk's money promised to an order. */
  orderReserve: <U extends string>(order: string, unit: U) => account('order:reserve', unit, order),
  /** Money of one intent: a payout, refund, withdrawal or capital payout. The money may have left already. */
  payout: <U extends string>(intent: string, unit: U) => account('payout', unit, intent),
  /** Money that belongs to no order. */
  unallocated: <U extends string>(id: string, unit: U) => account('unallocated', unit, id),
  /** Money whose owner has no account to send it to. */
  unclaimed: <U extends string>(id: string, unit: U) => account('unclaimed', unit, id),
  /** Money frozen by law. */
  frozen: <U extends string>(caseId: string, unit: U) => account('frozen', unit, caseId),

  /** A user's available money. */
  wallet: <U extends string>(user: string, unit: U) => account('wallet', unit, user),
  /** A user's money that is reserved for withdrawals. */
  walletHeld: <U extends string>(user: string, unit: U) => account('wallet:held', unit, user),
  /** A user's money from reversible payments that have not yet cleared. */
  walletUncleared: <U extends string>(user: string, unit: U) => account('wallet:uncleared', unit, user),

  /** Money that arrived for an invoice. */
  invoiceIn: <U extends string>(invoice: string, unit: U) => account('invoice:in', unit, invoice),
  /** Money that was converted to the settlement unit of a still incomplete invoice. */
  invoiceSet: <U extends string>(invoice: string, unit: U) => account('invoice:set', unit, invoice),
  /** The desk's money reserved when an invoice's payment is first seen. */
  invoiceReserve: <U extends string>(invoice: string, unit: U) => account('invoice:reserve', unit, invoice),
  /** A merchant's available money. */
  merchant: <U extends string>(merchant: string, unit: U) => account('merchant', unit, merchant),
  /** A merchant's rolling reserve. */
  merchantReserve: <U extends string>(merchant: string, unit: U) => account('merchant:reserve', unit, merchant),
  /** A refund by a merchant that the customer has not yet claimed by the refund's link. */
  refund: <U extends string>(id: string, unit: U) => account('refund', unit, id),

  /** An affiliate's rewards that may still be taken back. */
  affiliatePending: <U extends string>(user: string, unit: U) => account('affiliate:pending', unit, user),
  /** An affiliate's matured rewards. */
  affiliateAvailable: <U extends string>(user: string, unit: U) => account('affiliate:available', unit, user),
  /** A user's prizes. */
  earn: <U extends string>(user: string, unit: U) => account('earn', unit, user),
  /** Remaining balance of a fixed or late coupon. */
  coupon: <U extends string>(id: string, unit: U) => account('coupon', unit, id),
  /** Overdraft at a rail: a provider's balance below zero. */
  owedRail: <U extends string>(rail: string, unit: U) => account('owed', unit, rail),

  /** The desk's free money, used for trading. Orders can reserve at most this amount. */
  deskFree: <U extends string>(unit: U) => account('desk:free', unit),
  /** The desk's money set aside for gas. */
  deskFuel: <U extends string>(unit: U) => account('desk:fuel', unit),
  /** A pot of the desk's money, set aside for rewards, prizes or coupons. */
  promo: <U extends string>(kind: PromoKind, unit: U) => account(`promo:${kind}`, unit),
  /** The desk's money set aside for chargebacks. */
  provisionReversal: <U extends string>(unit: U) => account('provision:reversal', unit),
  /** Income since the books were last closed. The balance falls below zero if income booked before the close is reversed. */
  income: <U extends string>(kind: IncomeKind, unit: U) => account(`income:${kind}`, unit),
  /** Unexplained difference between books and rails, positive or negative. */
  suspense: <U extends string>(unit: U) => account('suspense', unit),
};

/** Returns the factor between stored and shown balances: −1 for `held` and `spent`, otherwise 1. */
export function shownSign(accountClass: AccountClass): 1n | -1n {
  return accountClass === 'held' || accountClass === 'spent' ? -1n : 1n;
}
