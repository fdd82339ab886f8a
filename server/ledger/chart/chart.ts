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

const PIECE = /^[A-Za-z0-9_.-]{1,64}$/;
const NAME = /^[A-Za-z0-9_.-]{1,64}(?::[A-Za-z0-9_.-]{1,64})*$/;

const HELD = ['held', null, 0n] as const;
const SPENT = ['spent', null, 0n] as const;
const OWED = ['owed', 0n, null] as const;
const OWN = ['own', 0n, null] as const;
const UNBOUNDED = ['own', null, null] as const;

/**
 * The account types: how the accounts of each are written (`*` an id, `$` the unit; custody's unit is its currency's), their class,
 * floor and ceiling. An account type is called by the pieces that all of its accounts share: `order:in`, `custody:hot`, `wallet`.
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

/** What all accounts of one sort are called together: the pieces of their names that are neither an id nor the unit. */
export type AccountType = keyof typeof ACCOUNT_TYPES;

/** Account types of an exchange: what was given, what was promised for it, what is got, the desk's free money, and costs passed on. */
export const EXCHANGED = {
  given: 'order:in',
  promised: 'order:reserve',
  got: 'order:out',
  free: 'desk:free',
  fee: 'income:fee',
} as const satisfies Record<string, AccountType>;

/** An account type: how its accounts' names are composed, and what they share. */
export interface AccountTypeRules {
  readonly type: AccountType;
  /** `*`: an id · `$`: the unit · else the piece itself. */
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

/** Every account type of the chart. */
export const accountTypeRules = (): readonly AccountTypeRules[] => [...RULES.values()];

/** What of a shape is filled in. */
const WILD: ReadonlySet<string> = new Set(['*', '$']);

/** The account of an account type. Throws a RangeError for a piece that could be read as another account's. */
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

/** What an account's name says of it: its account type, its id where it has one, its unit; undefined for no account of the chart. */
export interface Named {
  readonly rules: AccountTypeRules;
  readonly id: string | undefined;
  /** For custody: the currency. Its unit is the part before the underscore (`USDT_ERC20` is counted in `USDT`). */
  readonly unit: string | undefined;
}

/** Reads an account's name by the chart; undefined where no account is called so. */
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

/** The account type of an account. Throws a RangeError for one that the chart doesn't know. */
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

/** Every account there is. Ids, parties, rails and units are letters, digits, `_`, `.`, `-`; others throw a RangeError. */
export const accounts = {
  /** Our money at a place, per currency (one unit may lie on several chains). Reconciled against the rail. */
  custody: <U extends string>(currency: string, place: Place, unit: U) => account(`custody:${place}`, unit, currency),
  /** What a customer, merchant or affiliate owes us after a reversal. */
  receivable: <U extends string>(party: string, unit: U) => account('receivable', unit, party),
  /** Gone since the last close, which pays it from `desk:free` or `desk:fuel`. */
  spent: <U extends string>(kind: SpentKind, unit: U) => account(`spent:${kind}`, unit),

  /** Arrived for an order, not yet exchanged. */
  orderIn: <U extends string>(order: string, unit: U) => account('order:in', unit, order),
  /** Exchanged, not yet sent: the only source of a payout. */
  orderOut: <U extends string>(order: string, unit: U) => account('order:out', unit, order),
  /** The desk's money promised to an order. */
  orderReserve: <U extends string>(order: string, unit: U) => account('order:reserve', unit, order),
  /** One intent to send (payout, refund, withdrawal, capital), perhaps gone. */
  payout: <U extends string>(intent: string, unit: U) => account('payout', unit, intent),
  /** Money without an order. */
  unallocated: <U extends string>(id: string, unit: U) => account('unallocated', unit, id),
  /** Money without an account to go to. */
  unclaimed: <U extends string>(id: string, unit: U) => account('unclaimed', unit, id),
  /** Money held by law. */
  frozen: <U extends string>(caseId: string, unit: U) => account('frozen', unit, caseId),

  /** A user's money: available. */
  wallet: <U extends string>(user: string, unit: U) => account('wallet', unit, user),
  /** A user's money: asked to leave. */
  walletHeld: <U extends string>(user: string, unit: U) => account('wallet:held', unit, user),
  /** A user's money: reversible, not matured. */
  walletUncleared: <U extends string>(user: string, unit: U) => account('wallet:uncleared', unit, user),

  /** Arrived for an invoice. */
  invoiceIn: <U extends string>(invoice: string, unit: U) => account('invoice:in', unit, invoice),
  /** Converted to the settlement unit, the invoice not complete. */
  invoiceSet: <U extends string>(invoice: string, unit: U) => account('invoice:set', unit, invoice),
  /** The desk's money set aside when an invoice's payment is seen. */
  invoiceReserve: <U extends string>(invoice: string, unit: U) => account('invoice:reserve', unit, invoice),
  /** A merchant's money: available. */
  merchant: <U extends string>(merchant: string, unit: U) => account('merchant', unit, merchant),
  /** A merchant's money: rolling reserve. */
  merchantReserve: <U extends string>(merchant: string, unit: U) => account('merchant:reserve', unit, merchant),
  /** A merchant's refund whose link is open. */
  refund: <U extends string>(id: string, unit: U) => account('refund', unit, id),

  /** An affiliate's rewards that may still be taken back. */
  affiliatePending: <U extends string>(user: string, unit: U) => account('affiliate:pending', unit, user),
  /** An affiliate's matured rewards. */
  affiliateAvailable: <U extends string>(user: string, unit: U) => account('affiliate:available', unit, user),
  /** A user's prizes. */
  earn: <U extends string>(user: string, unit: U) => account('earn', unit, user),
  /** What is left on a fixed or late coupon. */
  coupon: <U extends string>(id: string, unit: U) => account('coupon', unit, id),
  /** A rail's overdraft (a provider's balance below zero). */
  owedRail: <U extends string>(rail: string, unit: U) => account('owed', unit, rail),

  /** The trading account: the desk's free money, the reserve's first bound. */
  deskFree: <U extends string>(unit: U) => account('desk:free', unit),
  /** Set aside for gas. */
  deskFuel: <U extends string>(unit: U) => account('desk:fuel', unit),
  /** A funded pot for rewards. */
  promo: <U extends string>(kind: PromoKind, unit: U) => account(`promo:${kind}`, unit),
  /** Set aside for chargebacks. */
  provisionReversal: <U extends string>(unit: U) => account('provision:reversal', unit),
  /** Earned since the last close; below zero after a reversal that follows it. */
  income: <U extends string>(kind: IncomeKind, unit: U) => account(`income:${kind}`, unit),
  /** A difference nobody has explained yet, either way. */
  suspense: <U extends string>(unit: U) => account('suspense', unit),
};

/** 1 where the stored balance is shown as it is, −1 where it is shown with the sign turned (held, spent). */
export function shownSign(accountClass: AccountClass): 1n | -1n {
  return accountClass === 'held' || accountClass === 'spent' ? -1n : 1n;
}
