import { type Money, type Unit, add, compare, parse, subtract } from '@kurs/money';

// Sample wallet to try out: the balances of a made-up account after a visitor's actions. The actions are stored only in the
// page's address, and no money moves.

export const ACTIONS = ['deposit', 'exchange', 'transfer'] as const;
export type Action = (typeof ACTIONS)[number];

/** Maximum number of actions, which keeps the address short. */
export const MAX_STEPS = 10;

/** Current amounts of the sample's exchange, and the part of the given amount that is its cost. */
export interface SampleQuote {
  readonly give: Money<Unit>;
  readonly get: Money<Unit>;
  readonly fee: Money<Unit>;
}

export interface SampleWallet {
  readonly total: Money<Unit>;
  readonly available: Money<Unit>;
}

/** One movement of the account. `step` counts the visitor's actions; it is absent for movements of the initial account. */
export interface Movement {
  readonly action: Action;
  readonly gone?: Money<Unit>;
  readonly come?: Money<Unit>;
  readonly fee?: Money<Unit>;
  readonly step?: number;
}

export interface SampleAccount {
  readonly wallets: readonly SampleWallet[];
  /** Newest first. */
  readonly movements: readonly Movement[];
  /** Actions that were carried out, without the impossible ones. */
  readonly done: readonly Action[];
}

const wallet = (unit: Unit, total: string, available = total): SampleWallet => ({
  total: parse(unit, total),
  available: parse(unit, available),
});

export const SAMPLE: SampleAccount = {
  wallets: [
    wallet('USDT', '2480.55', '2180.55'),
    wallet('BTC', '0.01842'),
    wallet('ETH', '0.385'),
    wallet('PAYPAL_USD', '312.40'),
  ],
  movements: [
    { action: 'deposit', come: parse('USDT', '300') },
    { action: 'exchange', come: parse('BTC', '0.0042') },
    { action: 'transfer', gone: parse('USDT', '45') },
  ],
  done: [],
};

const TAKEN_IN = parse('USDT', '300');
const SENT = parse('USDT', '45');
/** The exchange of the sample; its quote is requested for this amount. */
export const EXCHANGED = { from: 'USDT', to: 'BTC', amount: '400' } as const;

/** Reads the actions from an address: only known ones, and no more than the maximum. */
export function actionsIn(text: string | null): Action[] {
  const isAction = (name: string): name is Action => (ACTIONS as readonly string[]).includes(name);
  return (text ?? '').split(',', MAX_STEPS).filter(isAction);
}

/** Returns the amounts that an action moves; undefined if this desk doesn't offer it, because a wallet or a quote is missing. */
export function movementOf(
  { wallets }: SampleAccount,
  action: Action,
  quote: SampleQuote | undefined,
): Omit<Movement, 'step'> | undefined {
  const moved = { deposit: { come: TAKEN_IN }, transfer: { gone: SENT }, exchange: quote && exchangeAt(quote) }[action];
  if (!moved) return undefined;
  const units = Object.values(moved).map(({ unit }) => unit);
  return units.every((unit) => wallets.some(({ total }) => total.unit === unit)) ? { action, ...moved } : undefined;
}

const exchangeAt = ({ give, get, fee }: SampleQuote): Omit<Movement, 'step' | 'action'> => ({ gone: give, come: get, fee });

/** Reason why an action is impossible now: too little money is available, or the maximum number of actions is reached. */
export function hindranceOf({ wallets, done }: SampleAccount, { gone }: Pick<Movement, 'gone'>): 'short' | 'full' | undefined {
  if (done.length >= MAX_STEPS) return 'full';
  const from = gone && wallets.find(({ total }) => total.unit === gone.unit);
  return from && compare(from.available, gone) < 0 ? 'short' : undefined;
}

/** Returns the account after the given actions. Impossible actions and those not offered change nothing. */
export function accountAfter(account: SampleAccount, actions: readonly Action[], quote?: SampleQuote): SampleAccount {
  return actions.reduce((before, action) => {
    const moved = movementOf(before, action, quote);
    if (!moved || hindranceOf(before, moved)) return before;
    const done = [...before.done, action];
    return {
      wallets: before.wallets.map((one) => walletAfter(one, moved)),
      movements: [{ ...moved, step: done.length }, ...before.movements],
      done,
    };
  }, account);
}

function walletAfter(one: SampleWallet, { gone, come }: Pick<Movement, 'gone' | 'come'>): SampleWallet {
  let { total, available } = one;
  if (gone?.unit === total.unit) [total, available] = [subtract(total, gone), subtract(available, gone)];
  if (come?.unit === total.unit) [total, available] = [add(total, come), add(available, come)];
  return { total, available };
}
