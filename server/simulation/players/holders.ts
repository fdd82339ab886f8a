// Actions of account holders: join, pay into their wallets, withdraw, move money to each other, order from and into their
// wallets, and change their minds.

import { type Money, format, money } from '@kurs/money';
import { writeHolderMacs } from '../../auth/testing.ts';
import { makeCode } from '../../auth/index.ts';
import { setLevel } from '../../compliance/index.ts';
import { type Context, newId } from '../../platform/index.ts';
import { type Step, refusable } from './customers.ts';
import type { Holder, Process, World } from '../world.ts';

const MAX_HOLDERS = 4;
const sessionOf = ({ id }: Holder): string => `session of ${id}`;

/** Calls of a holder's browser. */
export const asHolder = (world: World, process: Process, holder: Holder): Context => ({
  ...world.visitor(process.db, world.holders.indexOf(holder) + 100),
  user: { id: holder.id, email: holder.email, isEmailVerified: true, sessionId: sessionOf(holder) },
});

/** Returns the mailed code for an action, from any kind of mail. */
export const codeFor = ({ ground }: World, holder: Holder, about: string | undefined): Promise<string> =>
  ground.db.tx((tx) =>
    makeCode(tx, {
      purpose: 'money_out',
      subject: [holder.id, sessionOf(holder), ...(about === undefined ? [] : [about])].join(' '),
    }),
  );

/** Somebody opens an account. */
export const join: Step = async (world) => {
  const { holders, ground } = world;
  if (holders.length >= MAX_HOLDERS) return undefined;
  const id = newId();
  const email = `holder${holders.length}@example.org`;
  await ground.db.run(
    `insert into account_holder (id, email, email_key, locale, created_at) values ($1, $2, $2, 'en', clock_now())`,
    [id, email],
  );
  await writeHolderMacs(ground.db);
  await ground.db.tx((tx) => setLevel(tx, id, 3, 'test'));
  holders.push({ id, email, places: new Map(), book: [] });
  return `${email} joins`;
};

/** Units of the wallets' currencies. */
export const UNIT_OF = { BTC: 'BTC', LTC: 'LTC', USDT_ERC20: 'USDT' } as const;
const CURRENCY_OF: Readonly<Record<string, keyof typeof UNIT_OF>> = { BTC: 'BTC', LTC: 'LTC', USDT: 'USDT_ERC20' };
/** Minor units worth about one USD. */
const USD_OF = { BTC: 1_111n, LTC: 1_250_000n, USDT_ERC20: 1_000_000n } as const;

/** A holder pays into one of their wallets, sometimes with reversible money. */
export const deposit: Step = async (world) => {
  const { holders, dice } = world;
  if (holders.length === 0) return undefined;
  const holder = dice.pick(holders);
  const currency = dice.weighed([
    [5, 'BTC'],
    [5, 'USDT_ERC20'],
    [2, 'LTC'],
  ] as const);
  const chain = world.chainOf(currency);
  if (!chain.isChain) return undefined;
  const usd = dice.weighed([
    [6, dice.int(40, 600)],
    [3, dice.int(600, 6_000)],
    [1, dice.int(6_000, 30_000)],
  ]);
  return refusable(`${holder.email} pays in ${usd} USD of ${currency}`, async () => {
    if (!holder.places.has(currency)) await openAddress(world, holder, currency);
    const to = holder.places.get(currency);
    if (to === undefined) return 'and gives up';
    chain.pay(to, BigInt(usd) * USD_OF[currency], { currency, isFeeOk: !dice.chance(0.1), isReplaceable: dice.chance(0.05) });
    return '';
  });
};

async function openAddress(world: World, holder: Holder, currency: keyof typeof UNIT_OF): Promise<void> {
  const request = { currency: UNIT_OF[currency], rail: world.chainOf(currency).rail.id };
  await world.live('opening a place', async (process) => {
    const { deposit: place } = await process.calls.walletStore(request, asHolder(world, process, holder));
    if (place?.currency === currency) holder.places.set(currency, place.address);
    else throw new Error(`a place of ${place?.currency} was opened for ${currency}`);
  });
}

interface Purse {
  readonly holder: Holder;
  readonly sum: Money;
}

/** Wallets with something in them. */
function purses(world: World): Purse[] {
  return world.holders.flatMap((holder) =>
    Object.values(UNIT_OF).flatMap((unit) => {
      const parts = world.auditor.shown(`wallet:${holder.id}:${unit}`);
      return parts > 0n ? [{ holder, sum: money(unit, parts) }] : [];
    }),
  );
}

/** All of it, or some part. */
function someOf({ dice }: World, { unit, parts }: Money): Money {
  return money(unit, dice.chance(0.25) ? parts : (parts * BigInt(dice.int(5, 95))) / 100n);
}

/** Returns a holder's destination: the address that they added first or last, even if it was removed, or a new one. */
export function somewhere(world: World, holder: Holder, currency: string): { address: string } {
  const known = holder.book.filter((one) => one.currency === currency);
  const one = world.dice.weighed([
    [3, known[0]],
    [2, known.at(-1)],
    [1, undefined],
  ] as const);
  if (one) return { address: one.address };
  return { ...world.chainOf(currency).memory.receiver() } as { address: string };
}

export const withdraw: Step = async (world) => {
  const rich = purses(world);
  if (rich.length === 0) return undefined;
  const { holder, sum } = world.dice.pick(rich);
  const currency = CURRENCY_OF[sum.unit] ?? 'BTC';
  const chain = world.chainOf(currency);
  const request = {
    currency: sum.unit,
    rail: chain.rail.id,
    amount: format(someOf(world, sum)),
    to: somewhere(world, holder, currency),
  };
  await world.ground.poll();
  return refusable(`${holder.email} withdraws ${request.amount} ${sum.unit}`, async () => {
    await world.live('withdrawing', async (process) => {
      const context = asHolder(world, process, holder);
      const { confirmation } = await process.calls.walletWithdrawQuote(request, context);
      const otp = await codeFor(world, holder, confirmation);
      await process.calls.walletWithdrawRequest({ ...request, otp }, context);
    });
    return '';
  });
};

/** A holder cancels a request, or tries to when it is too late. */
export const callOff: Step = async (world) => {
  const open = world.auditor.wallets.withdrawals('approving', 'queued', 'sending', 'in_doubt');
  if (open.length === 0) return undefined;
  const one = world.dice.pick(open);
  const holder = world.holders.find(({ id }) => id === one.holder);
  if (!holder) return undefined;
  return refusable(`${holder.email} calls off ${one.id} (${one.status})`, async () => {
    await world.live('calling off', async (process) => {
      await process.calls.walletWithdrawCancel({ id: one.id }, asHolder(world, process, holder));
    });
    return '';
  });
};

export const transfer: Step = async (world) => {
  const rich = purses(world);
  if (rich.length === 0 || world.holders.length < 2) return undefined;
  const { holder, sum } = world.dice.pick(rich);
  const to = world.dice.pick(world.holders.filter((each) => each !== holder)).email;
  const request = { currency: sum.unit, amount: format(someOf(world, sum)) };
  return refusable(`${holder.email} moves ${request.amount} ${sum.unit} to ${to}`, async () => {
    await world.live('moving', async (process) => {
      const context = asHolder(world, process, holder);
      const { confirmation } = await process.calls.walletConfirmation({ action: 'transfer', ...request, email: to }, context);
      await process.calls.walletTransfer({ ...request, to, otp: await codeFor(world, holder, confirmation) }, context);
    });
    return '';
  });
};

/** An order whose one side, or both, are wallets of its holder. */
export const orderByWallet: Step = async (world) => {
  const { dice, ground, holders } = world;
  const rich = purses(world).filter(({ sum }) => sum.unit !== 'LTC');
  const wallet = dice.weighed([
    [4, 'give'],
    [3, 'both'],
    [3, 'get'],
  ] as const);
  const purse = wallet === 'get' ? undefined : rich.length > 0 ? dice.pick(rich) : undefined;
  const holder = purse?.holder ?? (wallet === 'get' && holders.length > 0 ? dice.pick(holders) : undefined);
  if (!holder) return undefined;
  const from = purse ? (CURRENCY_OF[purse.sum.unit] ?? 'BTC') : dice.pick(['BTC', 'USDT_ERC20'] as const);
  const to = from === 'USDT_ERC20' ? 'BTC' : 'USDT_ERC20';
  const sum = purse ? someOf(world, purse.sum) : money(UNIT_OF[from], BigInt(dice.int(60, 900)) * USD_OF[from]);
  const account = (code: string) => ({ ...somewhere(world, holder, code) });
  const request = { from, to, amount: format(sum), side: 'give', wallet } as const;
  const accounts = { receive: wallet === 'give' ? account(to) : {}, refund: wallet === 'get' ? account(from) : {} };
  await ground.poll();
  return refusable(`${holder.email} orders ${request.amount} ${from} by wallet (${wallet})`, async () => {
    let placedAs: string | undefined;
    await world.live('ordering by wallet', async (process) => {
      const { calls } = process;
      const context = asHolder(world, process, holder);
      const { id, token = '' } = await calls.step1(request, context);
      const known = { id, token };
      await calls.step2({ ...known, ...accounts, email: holder.email, terms_accepted: true, ask_me: false }, context);
      await calls.step3({ ...known, bot_token: 'simulation' }, context);
      const otp = wallet === 'get' ? undefined : await codeFor(world, holder, id);
      const order = await calls.processOrder({ ...known, ...(otp !== undefined && { otp }) }, context);
      placedAs = order.id;
    });
    if (wallet !== 'get' || dice.chance(0.3)) return '';
    await world.poll();
    const placed = world.orders('awaiting').find(({ number }) => number === placedAs);
    if (placed?.payTo === undefined) return '';
    world.chainOf(from).pay(placed.payTo, placed.view.give.parts, { currency: from });
    return 'and pays';
  });
};
