import { type Money, type Unit, add, compare, parse, subtract } from '@kurs/money';

// Sample account that visitors can try out: its balances after some actions of the visitor. The actions are stored only in the
// page's URL, and no money moves.

export const ACTIONS = ['deposit', 'exchange', 'transfer'] as const;
export type Action = (typeof ACTIONS)[number];

/** Maximum number of actions, which keeps the URL short. */
export const MAX_STEPS = 10;

/** Current amounts of the sample's exchange. `fee` is the cost, as a part of the given amount. */
export interface SampleQuote {
  readonly give: Money<Unit>;
  readonly get: Money<Unit>;
  readonly fee: Money<Unit>;
}

export interface SampleWallet {
  readonly total: Money<Unit>;
  readonly available: Money<Unit>;
}

/**
 * Movement in the sample account. `step` is the number of the visitor's action; absent for movements that the account began with.
 */
export interface Movement {
  readonly action: Action;
  readonly gone?: Money<Unit>;
  readonly come?: Money<Unit>;
  readonly fee?: Money<Unit>;
  readonly step?: number;
}

export interface SampleAccount {
  readonly wallets: readonly SampleWallet[];
  /** Movements in the account, the newest first. */
  readonly movements: readonly Movement[];
  /** Actions of the visitor, without those that were impossible. */
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
/** Exchange in the sample account. Its quote is requested for this amount. */
export const EXCHANGED = { from: 'USDT', to: 'BTC', amount: '400' } as const;

/** Reads the actions in a URL's parameter. Ignores unknown actions, and all actions after the first `MAX_STEPS`. */
export function actionsIn(text: string | null): Action[] {
  const isAction = (name: string): name is Action => (ACTIONS as readonly string[]).includes(name);
  return (text ?? '').split(',', MAX_STEPS).filter(isAction);
}

/**
 * Returns the amounts that an action moves. Returns undefined if this desk doesn't offer the action, because a wallet or the
 * quote is missing.
 */
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

/**
 * Returns the reason why an action is impossible now: `short` if too little money is available, `full` after the maximum number
 * of actions. Otherwise undefined.
 */
export function hindranceOf({ wallets, done }: SampleAccount, { gone }: Pick<Movement, 'gone'>): 'short' | 'full' | undefined {
  if (done.length >= MAX_STEPS) return 'full';
  const from = gone && wallets.find(({ total }) => total.unit === gone.unit);
  return from && compare(from.available, gone) < 0 ? 'short' : undefined;
}

/** Returns the account after some actions. Actions that are impossible or not offered change nothing. */
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
