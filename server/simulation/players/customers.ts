// Actions of customers: place, pay (right, short, too much, late, twice), cancel, choose, or wait.

import { type Output, Problem, type Routes } from '@kurs/contract';
import { format, money } from '@kurs/money';
import { queuedLetters } from '../../deliveries/testing.ts';
import type { StoredOrder } from '../../exchange/index.ts';
import type { Code } from '../chain.ts';
import { COUPONS } from '../audit/coupon-audit.ts';
import { linkOf } from '../audit/senders.ts';
import type { Process, World } from '../world.ts';

/** An action of somebody. Returns it in a few words, or undefined if there was nothing to do. */
export type Step = (world: World) => Promise<string | undefined>;

/** Runs an action that may be refused for a good reason: a refusal is a step too. A fault of ours is none. */
export async function refusable(what: string, work: () => Promise<string>): Promise<string> {
  try {
    return `${what} ${await work()}`;
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'internal' || error.code === 'unavailable') throw error;
    return `${what}: ${error.code}`;
  }
}

/** Runs an action with a coupon, or without it if the coupon gives them nothing. */
async function unlessOfCoupon<T>(work: () => Promise<T>, without: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem) || !error.code.startsWith('coupon_')) throw error;
    return without();
  }
}

/** A new customer or a known one goes through the three steps, with a coupon, and places. If we die on it, they press again. */
export const place: Step = async (world) => {
  const { dice, ground } = world;
  if (world.orders('awaiting', 'seen').length > 4) return undefined;
  const number = dice.int(1, 30);
  const from = dice.weighed([
    [4, 'BTC'],
    [4, 'USDT_ERC20'],
    [1, 'LTC'],
  ] as const);
  const to: Code = from === 'USDT_ERC20' ? 'BTC' : 'USDT_ERC20';
  const usd = dice.weighed([
    [6, dice.int(60, 400)],
    [3, dice.int(400, 1_500)],
    [2, dice.int(1_500, 4_000)],
  ]);
  const amount = from === 'BTC' ? (usd / 90_000).toFixed(6) : from === 'LTC' ? (usd / 80).toFixed(4) : usd.toFixed(2);
  const askMe = dice.chance(0.2);
  const account = (code: string) => ({ ...world.chainOf(code).memory.receiver() });
  const accounts = { receive: account(to), refund: account(from) };
  await ground.poll();
  return refusable(`customer ${number} places ${amount} ${from}`, async () => {
    const order = async ({ calls, db }: Process): Promise<void> => {
      const visitor = world.visitor(db, number);
      const request = { from, to, amount, side: 'give', ...(world.hasSenders && linkOf(number)) } as const;
      const { code } = COUPONS[number % COUPONS.length] as (typeof COUPONS)[number];
      const { id, token } = await unlessOfCoupon(
        () => calls.step1({ ...request, coupon: code }, visitor),
        () => calls.step1(request, visitor),
      );
      const known = { id, token };
      const details = {
        ...known,
        ...accounts,
        email: `customer${number}@example.org`,
        terms_accepted: true,
        ask_me: askMe,
      } as const;
      await unlessOfCoupon(
        () => calls.step2(details, visitor),
        () => calls.step2({ ...details, without_coupon: true }, visitor),
      );
      await calls.step3({ ...known, bot_token: 'simulation' }, visitor);
      const first = await world.live('placing', async (api) => void (await api.calls.processOrder(known, visitor)));
      if (!first) await calls.processOrder(known, { ...visitor, isRepeated: true });
    };
    if (!(await world.live('calculating', order))) return 'and gives up';
    if (dice.chance(0.3)) return 'and will see';
    await world.poll();
    const placed = world.orders('awaiting').at(-1);
    if (placed) world.chainOf(from).pay(placed.payTo ?? '', placed.view.give.parts, { currency: from });
    return 'and pays at once';
  });
};

/** Probability that an order in this state is paid (again). */
const EAGER: Readonly<Record<string, number>> = { awaiting: 20, seen: 6, choosing: 4, reversed: 6 };

/** Pays to an order's address, in any state of the order. */
export const pay: Step = async (world) => {
  const { dice } = world;
  const eager = (order: StoredOrder): number => EAGER[order.view.state] ?? 0.4;
  const payable = world.orders().filter(({ payTo }) => payTo !== undefined);
  if (payable.length === 0) return undefined;
  const order = dice.weighed(payable.map((each) => [eager(each), each] as const));
  const { currency, parts: request, unit } = order.view.give;
  const chain = world.chainOf(currency);
  const [kind, percent] = dice.weighed([
    [12, ['right', 100]],
    [6, ['short', dice.int(81, 99)]],
    [3, ['much too short', dice.int(20, 79)]],
    [1, ['a little too much', 101]],
    [3, ['too much', dice.int(103, 180)]],
  ] as const);
  const isForeign = currency === 'BTC' && dice.chance(0.12);
  const parts = isForeign ? BigInt(dice.int(1, 9)) * 10n ** 8n : (request * BigInt(percent)) / 100n;
  const isFeeOk = !dice.chance(0.1);
  const isReplaceable = dice.chance(0.05);
  chain.pay(order.payTo ?? '', parts, { isFeeOk, isReplaceable, currency: isForeign ? 'LTC' : currency });
  const sum = isForeign ? 'in LTC' : `${kind}, ${format(money(unit, parts))} ${currency}`;
  return `pays ${order.number} (${order.view.state}) ${sum}${isFeeOk ? '' : ', low fee'}`;
};

export const cancel: Step = async (world) => {
  const open = world.orders('awaiting');
  if (open.length === 0) return undefined;
  const order = world.dice.pick(open);
  const input = { id: order.number, token: world.token(order) };
  return refusable(`cancels ${order.number}`, async () => {
    await world.live('cancelling', async ({ calls, db }) => void (await calls.expire(input, world.visitor(db, 1))));
    return '';
  });
};

/** States in which customers open the page, and how often. */
const ASKING: Readonly<Record<string, number>> = {
  choosing: 1,
  payout_failed: 8,
  refund_failed: 8,
  unclaimed: 8,
  holding: 0.2,
  approving: 0.2,
};

type Choice = Output<Routes['trackOrder']> extends infer Page ? (Page extends { choices: (infer C)[] } ? C : never) : never;

/** Calls that no page offers but the API accepts. */
function unasked({ view }: StoredOrder): Choice[] {
  const isChecked = view.state === 'holding' || view.state === 'approving';
  return isChecked ? [{ choice: 'give_route', needs_code: true, account: { currency: view.give.currency } }] : [];
}

/** Opens the page of an order that needs a decision, and takes one of the choices there. */
export const choose: Step = async (world) => {
  const { dice } = world;
  const requests = world.orders(...Object.keys(ASKING));
  if (requests.length === 0) return undefined;
  const order = dice.weighed(requests.map((each) => [ASKING[world.stateOf(each)] ?? 0, each] as const));
  const known = { id: order.number, token: world.token(order) };
  return refusable(`looks at ${order.number} (${order.view.state})`, async () => {
    let taken = 'and finds nothing to choose';
    await world.live('choosing', async ({ calls, db }) => {
      const visitor = world.visitor(db, 1);
      const page = await calls.trackOrder(known, visitor);
      const open = 'choices' in page && page.choices.length > 0 ? page.choices : unasked(order);
      if (open.length === 0) return;
      const { choice, offer, account, needs_code: coded } = dice.pick(open);
      const mailed = coded ? await calls.orderGetOtp(known, visitor) : undefined;
      await calls.orderChoose(
        {
          ...known,
          choice,
          ...(offer !== undefined && { offer }),
          ...(account && { account: { ...world.chainOf(account.currency).memory.receiver() } }),
          ...(mailed && { otp: dice.chance(0.05) ? '000000' : await codeOf(world, order), handle: mailed.handle }),
        },
        visitor,
      );
      taken = `and takes ${choice}`;
    });
    return taken;
  });
};

/** Returns the newest mailed code of an order. */
async function codeOf({ ground }: World, { view }: StoredOrder): Promise<string> {
  const found = await queuedLetters(ground.db, { key: `order ${view.id} code%` });
  return /^\d{6}$/m.exec(found.at(-1)?.text ?? '')?.[0] ?? '';
}
