import { type Money, type Unit, add, compare, parse, subtract } from '@kurs/money';

// A wallet to try out: what a made-up account holds after what a visitor has done with it. Its whole memory is the address
// of the page, so nothing here is kept or moved.

export const ACTIONS = ['deposit', 'exchange', 'transfer'] as const;
export type Action = (typeof ACTIONS)[number];

/** More than this is done in no sample: the address stays short. */
export const MOST_STEPS = 10;

/** What an exchange gives and brings at this moment, and what of the sum given is its cost. */
export interface SampleQuote {
  readonly give: Money<Unit>;
  readonly get: Money<Unit>;
  readonly fee: Money<Unit>;
}

export interface SampleWallet {
  readonly total: Money<Unit>;
  readonly available: Money<Unit>;
}

/** What came, and what went. `step`: which of the visitor's it was; absent for what was there before. */
export interface Movement {
  readonly action: Action;
  readonly gone?: Money<Unit>;
  readonly come?: Money<Unit>;
  readonly fee?: Money<Unit>;
  readonly step?: number;
}

export interface SampleAccount {
  readonly wallets: readonly SampleWallet[];
  /** The latest first. */
  readonly movements: readonly Movement[];
  /** What was done. What could not be done is not in it. */
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
/** What is exchanged: the quote is asked of this much. */
export const EXCHANGED = { from: 'USDT', to: 'BTC', amount: '400' } as const;

/** The actions that an address names: those that there are, and no more than a sample takes. */
export function actionsIn(text: string | null): Action[] {
  const isAction = (name: string): name is Action => (ACTIONS as readonly string[]).includes(name);
  return (text ?? '').split(',', MOST_STEPS).filter(isAction);
}

/** What an action moves; undefined where this desk doesn't offer it: no such wallet, or nothing to exchange at. */
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

/** Why an action can't be done now: what is left doesn't suffice, or as much was done as a sample takes. */
export function hindranceOf({ wallets, done }: SampleAccount, { gone }: Pick<Movement, 'gone'>): 'short' | 'full' | undefined {
  if (done.length >= MOST_STEPS) return 'full';
  const from = gone && wallets.find(({ total }) => total.unit === gone.unit);
  return from && compare(from.available, gone) < 0 ? 'short' : undefined;
}

/** The account after the actions, one after the other. One that can't be done, or isn't offered, changes nothing. */
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
