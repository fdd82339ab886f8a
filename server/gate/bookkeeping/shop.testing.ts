// A shop with many sales in several currencies, some reversed, before and after a month's end in its time zone.

import assert from 'node:assert/strict';
import { decidePayin } from '../../payments/index.ts';
import { takeBack } from '../../payments/testing.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { type Code, type InvoiceWorld, openInvoiceWorld } from '../scenarios/invoice-world.testing.ts';
import { monthOf } from './month.ts';

const ZONE = 'Asia/Tokyo';
const DAY = 1_440;
const METHODS: readonly Code[] = ['BTC', 'USDT_ERC20', 'USDT_TRC20', 'PAYEER_USD'];
const SUMS = ['62.34', '100.00', '249.99', '480.00'] as const;

export interface Shop {
  readonly world: InvoiceWorld;
  /** The month in which the shop begins, and the next one. */
  readonly months: readonly [string, string];
  readonly made: readonly StoredInvoice[];
}

/** Returns numbers below `below` that look random and are the same in each run. */
function chooser(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** Opens a shop and lets it sell. */
export async function openShop(): Promise<Shop> {
  // So little that a large sale exceeds the business's share of it and is settled in the coin itself.
  const world = await openInvoiceWorld({ usdt: '3500' });
  await world.change({ settlementCurrency: 'USDT_ERC20', timezone: ZONE });
  const first = await monthOf(world.db, world.store, undefined);
  const { month: second } = await world.db
    .row<{ month: string }>(`select to_char($1::timestamptz at time zone $2, 'YYYY-MM') as month`, [first.end, ZONE])
    .then((row) => row ?? assert.fail());
  const pick = chooser(7);
  const made: StoredInvoice[] = [];
  const minutesLeft = async (): Promise<number> => (first.end.getTime() - (await world.db.now()).getTime()) / 60_000;
  const left = await minutesLeft();
  if (left > 2 * DAY) await world.pass(Math.floor(left - 2 * DAY));
  for (let at = 0; at < 18; at += 1) {
    await world.change({ costsBearer: pick(2) === 0 ? 'store' : 'buyer' });
    made.push(await sell(world, pick, made.length));
    if (at % 5 === 4) await reverseOne(world, pick, made);
    if (at === 9) await world.pass(Math.max(1, Math.ceil(await minutesLeft())));
    if (at === 13) await world.change({ settlementCurrency: 'BTC' });
  }
  return { world, months: [first.month, second], made };
}

/** Makes an invoice and pays it, sometimes in two payments, and sometimes with too much. */
async function sell(world: InvoiceWorld, pick: (below: number) => number, number: number): Promise<StoredInvoice> {
  const invoice = await world.make({
    ...{ amount: SUMS[pick(SUMS.length)] ?? '10.00', order_id: `=1+${number}`, tax: '1.00', email: `buyer${number}@example.org` },
  });
  // Nothing is exchanged for bitcoins here.
  const method = (): Code => (world.store.settlementCurrency === 'BTC' ? 'BTC' : (METHODS[pick(METHODS.length)] ?? 'BTC'));
  if (pick(3) === 0) {
    world.pay(await world.choose(invoice, method(), '30.00'));
    await world.mine();
  }
  const option = await world.choose(invoice, method());
  const { unit, parts = 0n } = option;
  const extra = pick(4) > 0 ? 0n : parts / 2n;
  const digits = unit === 'BTC' ? 8 : unit === 'USDT' ? 6 : 2;
  const sum = (parts + extra).toString().padStart(digits + 1, '0');
  world.pay(option, `${sum.slice(0, -digits)}.${sum.slice(-digits)}`);
  await world.mine();
  return invoice;
}

/** Takes a credited payment of a settled invoice back: wholly or in part. */
async function reverseOne(world: InvoiceWorld, pick: (below: number) => number, made: readonly StoredInvoice[]): Promise<void> {
  const { view } = await world.read(made[pick(made.length)] ?? assert.fail());
  const payment = view.payments.find(({ stage, handedOver = [] }) => stage === 'credited' && handedOver.length === 0);
  if (view.state !== 'settled' || !payment) return;
  await world.db.tx((tx) => decidePayin(tx, takeBack(payment.id, pick(2) === 0 ? undefined : payment.parts / 3n)));
  await world.turn();
}
