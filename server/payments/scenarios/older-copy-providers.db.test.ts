// Tests older copies of the books with real providers: a copy pays nothing that the original has paid.

import assert from 'node:assert/strict';
import {
  type Beside,
  type ProviderWorld,
  moneyGoWorld,
  payeerWorld,
  paypalWorld,
  perfectMoneyWorld,
  voletWorld,
  webMoneyWorld,
} from '../../rails/testing.ts';
import type { Fields, Rail } from '../../rails/rail.ts';
import { olderCopyContract, paysUnderItsReference } from './older-copy.contract.ts';
import type { CopyWorld } from './older-copy.testing.ts';

type Provider = ProviderWorld & { readonly sides: Beside };

/** Returns what the contract of older copies needs of a provider. */
async function copyWorld(world: Provider): Promise<CopyWorld> {
  const { sides, currency, unit, parts, payout } = world;
  assert.ok(payout);
  const held = (await sides.rail.reserve()).find((balance) => balance.currency === currency)?.payable ?? 0n;
  return {
    ...{ currency, unit, parts, finalBlocks: 1 },
    holds: [{ currency, place: 'hot', parts: held }],
    open: () => sides.start(),
    blocks: async () => {},
    receiver: () => payout.receiver(),
    received: (to) => payout.received(to, undefined),
    close: () => world.close(),
  };
}

/** Vouchers name no receiver: those made between a payout's receiver and the next count for that payout. */
async function vouchers(): Promise<CopyWorld> {
  const world = await perfectMoneyWorld();
  const made = async (): Promise<number> => {
    const all = await world.sides.counterpart.tricks?.['made']?.({ currency: world.currency, amount: '25.50' });
    return (all as readonly unknown[]).length;
  };
  const receivers: { readonly to: Fields; readonly before: number }[] = [];
  return {
    ...(await copyWorld(world)),
    receiver: async () => {
      const to = {};
      receivers.push({ to, before: await made() });
      return to;
    },
    received: async (to) => {
      const at = receivers.findIndex((one) => one.to === to);
      const end = receivers[at + 1]?.before ?? (await made());
      return world.parts * BigInt(end - (receivers[at]?.before ?? 0));
    },
  };
}

/** PayPal’s refunds: each returns to a payment of its own. */
async function refunds(): Promise<CopyWorld> {
  const world = await paypalWorld('online');
  const { sides, currency, parts } = world;
  const references = new Map<string, string>();
  const noting = (rail: Beside['rail']): Rail => {
    const prepare: typeof rail.payout.prepare = (items, state) => {
      for (const { id, to } of items) references.set(to['capture'] ?? '', id);
      return rail.payout.prepare(items, state);
    };
    return { ...rail, payout: { ...rail.payout, prepare } };
  };
  return {
    ...(await copyWorld(world)),
    open: () => noting(sides.start()),
    receiver: async () => {
      const opening = await sides.open(currency, parts * 2n);
      await sides.pay(opening);
      const [paid] = await sides.rail.payin.observe([opening.reference]);
      return paid?.source?.fields ?? assert.fail('it was not paid');
    },
    received: async (to) => {
      const reference = references.get(to['capture'] ?? '');
      const sent = (await sides.counterpart.tricks?.['done']?.({ reference })) as { done: number } | undefined;
      return parts * BigInt(sent?.done ?? 0);
    },
  };
}

/** Providers that list sends from our account, under a reference of ours. */
const LISTING: readonly (readonly [string, () => Promise<CopyWorld>])[] = [
  ['Perfect Money’s vouchers', vouchers],
  ['Payeer', async () => copyWorld(await payeerWorld())],
  ['Volet', async () => copyWorld(await voletWorld())],
  ['WebMoney', async () => copyWorld(await webMoneyWorld())],
  ['PayPal', async () => copyWorld(await paypalWorld('online'))],
];
for (const [name, makeWorld] of LISTING) olderCopyContract(name, makeWorld, { beside: false });

/** Providers without a list send the same reference once. */
const REQUESTED: typeof LISTING = [
  ['MoneyGo', async () => copyWorld(await moneyGoWorld())],
  ['PayPal’s refunds', refunds],
];
for (const [name, makeWorld] of REQUESTED) paysUnderItsReference(name, makeWorld);
