// Outside events: blocks, reorgs, payments that vanish and come back, late requests, and time.

import type { StoredOrder } from '../../exchange/index.ts';
import { takeWebhook } from '../../payments/index.ts';
import type { MemoryTx } from '../../payments/memory.ts';
import type { Chain } from '../chain.ts';
import type { Step } from './customers.ts';
import type { World } from '../world.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DEEPEST = 6;
/** A chargeback, or a transfer that comes back, may be later than a reorg; never after what a chain calls final. */
const LATEST = 20;

const anyChain = ({ chains, dice }: World): Chain => dice.pick(Object.values(chains));

/** Blocks come: on the account chain many at once, since a payment needs twelve of them there. */
export const mine: Step = async (world) => {
  const { dice, chains } = world;
  const blocks = dice.weighed([
    [6, 1],
    [3, 2],
    [2, 4],
  ]);
  const moved = dice.chance(0.6) ? Object.values(chains) : [anyChain(world)];
  for (const chain of moved) chain.mine(chain.rail.id === 'evm' ? blocks * 5 : blocks);
  return `${blocks} blocks of ${moved.map(({ code }) => code).join(' and ')}`;
};

/** The newest blocks are replaced; what was in them waits again, or some of it never happened. */
export const reorg: Step = async (world) => {
  const { dice, tally } = world;
  const chain = anyChain(world);
  const depth = dice.int(1, DEEPEST);
  const lost = chain.reorg(depth, () => dice.chance(0.4));
  remember(world, chain, lost);
  if (dice.chance(0.7)) chain.mine(1);
  await report(world, chain, lost);
  tally.fault(`reorg: ${depth} deep`);
  return `reorg of ${depth} ${chain.code} blocks, ${lost.length} transactions lost`;
};

/** States in which the machine distinguishes reversals, and rare states: the rarest first. */
const REPORT: Readonly<Record<string, number>> = {
  payout_failed: 12,
  refund_failed: 6,
  unclaimed: 6,
  frozen: 3,
  in_doubt: 2,
  r_in_doubt: 2,
  surrendered: 2,
  approving: 1,
  queued: 1,
  sending: 1,
  r_queued: 1,
  r_sending: 1,
  r_sent: 1,
  refunded: 1,
};

/** One final payment is reversed: by a reorg in which it was spent twice, or by a chargeback. */
const reversal =
  (weights: Readonly<Record<string, number>> = {}): Step =>
  async (world) => {
    const { dice, tally } = world;
    const found = world.orders(...Object.keys(weights)).flatMap((order) => {
      const { number, view } = order;
      const state = world.stateOf(order);
      const chain = world.chainOf(view.give.currency);
      return view.payments.flatMap(({ status, txid }) => {
        const depth = chain.depthOf(txid);
        const latest = chain.rail.id === 'evm' ? DEEPEST : LATEST;
        return status === 'final' && depth > 0 && depth <= latest ? [{ number, state, chain, txid, depth }] : [];
      });
    });
    if (found.length === 0) return undefined;
    const { number, state, chain, txid, depth } = dice.weighed(found.map((each) => [weights[each.state] ?? 1, each] as const));
    const lost = chain.reorg(depth, ({ id }) => id === txid);
    remember(world, chain, lost);
    chain.mine(1);
    await report(world, chain, lost);
    tally.fault(`reversal after the credit: ${chain.kind}`);
    return `the payment of ${number} (${state}) is reversed, ${depth} deep`;
  };

export const reverse = reversal();
export const reverseReport = reversal(REPORT);

/** A final payment into a wallet is reversed: by a reorg deeper than anybody waits for, or before it was deep. */
export const reverseDeposit: Step = async (world) => {
  const found = world.auditor.wallets.deposits('checking', 'maturing', 'final').flatMap(({ currency, txid }) => {
    const chain = world.chainOf(currency);
    const depth = chain.depthOf(txid);
    return depth > 0 && depth <= (chain.rail.id === 'evm' ? DEEPEST : LATEST) ? [{ chain, txid, depth }] : [];
  });
  if (found.length === 0) return undefined;
  const { chain, txid, depth } = world.dice.pick(found);
  const lost = chain.reorg(depth, ({ id }) => id === txid);
  remember(world, chain, lost);
  chain.mine(1);
  world.tally.fault('a deposit is taken back');
  return `the deposit ${txid} is reversed, ${depth} deep`;
};

/** A provider takes back a part of a final payment, or gives back some of what it took. */
export const takeInPart: Step = async (world) => {
  const { dice, tally } = world;
  const found = Object.values(world.chains).flatMap((chain) => {
    const final = new Set(
      world.orders().flatMap(({ view }) => view.payments.flatMap((one) => (one.status === 'seen' ? [] : one.txid))),
    );
    return chain.isChain
      ? []
      : chain.paid.filter(({ txid }) => final.has(txid) && chain.isMined(txid)).map((paid) => ({ chain, paid }));
  });
  if (found.length === 0) return undefined;
  const { chain, paid } = dice.pick(found);
  const before = chain.memory.world.takenOf(paid.txid);
  const parts = dice.chance(0.3) ? 0n : (paid.parts * BigInt(dice.int(1, 99))) / 100n;
  if (parts === before) return undefined;
  chain.memory.world.takeInPart(paid.txid, parts);
  const tx = chain.memory.world.status(paid.txid)?.tx;
  if (tx) await report(world, chain, [tx]);
  tally.fault(parts > before ? 'a part is taken back' : 'a part comes back');
  return `${parts} of ${chain.code} payment ${paid.txid} are taken back, ${before} were`;
};

/** A payment that was lost is there again: mined after all, or the dispute is won. */
export const restore: Step = async (world) => {
  const { dice, lost } = world;
  if (lost.length === 0) return undefined;
  // If it was credited once, and the order continued without it, more events follow.
  const isReport = (txid: string): boolean =>
    world.auditor.all.some(({ payments }) => payments.some((one) => one.txid === txid && one.status === 'reversed'));
  const one = dice.weighed(lost.map((each) => [isReport(each.tx.id) ? 8 : 1, each] as const));
  lost.splice(lost.indexOf(one), 1);
  one.chain.memory.world.restore(one.tx);
  if (dice.chance(0.7)) one.chain.mine(one.chain.rail.id === 'evm' ? 13 : 3);
  await report(world, one.chain, [one.tx]);
  world.tally.fault('a lost payment comes back');
  return `a lost ${one.chain.code} payment is there again`;
};

/** Notes payments that are gone, so that they may come back. */
export function remember(world: World, chain: Chain, lost: readonly MemoryTx[]): void {
  for (const tx of lost) if (!tx.own) world.lost.push({ chain, tx });
}

/** A provider publishes what it took back or gave back; a chain publishes nothing automatically. */
export async function report(world: World, chain: Chain, txs: readonly MemoryTx[]): Promise<void> {
  if (chain.isChain) return;
  for (const { to } of txs.filter(({ own }) => !own).flatMap(({ outputs }) => outputs)) {
    const raw = Buffer.from(JSON.stringify({ isProven: true, to, about: world.story.length }));
    await takeWebhook(world.ground.db, chain.rail.id, { raw, headers: {} });
  }
}

/** A waiting payment vanishes: its coins go elsewhere, or nobody shows it for a while; on a chain also one of ours. */
export const vanish: Step = async (world) => {
  const { dice, tally } = world;
  const waiting = Object.values(world.chains).flatMap((chain) => {
    const isWaiting = (txid: string): boolean => {
      const status = chain.memory.world.status(txid);
      return status !== undefined && status.block === undefined;
    };
    const ours = chain.isChain ? world.orders().flatMap(({ view }) => view.facts.sent?.txid ?? []) : [];
    return [...chain.paid.map(({ txid }) => txid), ...ours].filter(isWaiting).map((txid) => ({ chain, txid }));
  });
  if (waiting.length === 0) return undefined;
  const { chain, txid } = dice.pick(waiting);
  const tx = chain.memory.world.status(txid)?.tx;
  chain.disturbed.add(txid);
  const isLost = dice.chance(0.5);
  // A customer's payment is over only once its coins went elsewhere; a missing payment proves nothing.
  if (tx && !tx.own && !isLost) chain.memory.world.doubleSpend(txid);
  else chain.memory.world.evict(txid);
  if (tx && isLost) remember(world, chain, [tx]);
  tally.fault('a waiting payment vanishes');
  return `waiting ${chain.code} transaction ${txid} vanishes`;
};

/** Our send on a chain is removed by a reorg, and fails when the same bytes come again: the money is back. */
const bouncing =
  (...states: readonly string[]): Step =>
  async (world) => {
    const out = world.orders(...states).flatMap(({ number, view }) => {
      const { sent } = view.facts;
      const side = sent?.kind === 'payout' ? view.get : view.give;
      if (!side || sent?.txid === undefined) return [];
      const [chain, txid] = [world.chainOf(side.currency), sent.txid];
      const depth = chain.depthOf(txid);
      return chain.isChain && depth > 0 && depth <= LATEST ? [{ number, chain, depth, txid }] : [];
    });
    if (out.length === 0) return undefined;
    const { number, chain, depth, txid } = world.dice.pick(out);
    chain.reorg(depth, ({ id }) => id === txid);
    chain.mine(1);
    chain.memory.world.inject('send', { kind: 'lie' });
    world.tally.fault('a send of ours comes back');
    return `the send of ${number} bounces`;
  };

export const bounce = bouncing('sent', 'completed', 'r_sent', 'refunded');
export const bounceReport = bouncing('charged_back', 'refunded');

/** A node falls behind, or catches up. */
export const lag: Step = async (world) => {
  const chain = anyChain(world);
  const { world: node } = chain.memory;
  node.lag = node.lag > 0 ? 0 : world.dice.int(1, 3);
  if (node.lag > 0) world.tally.fault('a node lags');
  return `the ${chain.code} node is ${node.lag} blocks behind`;
};

/** The explorer of bitcoin's chain answers in another way: short, shared, stale, wrong, or correctly again. */
export const explore: Step = async ({ chains, tally }) => {
  const name = chains.BTC.explore();
  if (name !== undefined) tally.fault(`explorer: ${name}`);
  return name && `the explorer is ${name}`;
};

export const deliver: Step = async (world) => {
  const arrived = await anyChain(world).deliver();
  return arrived > 0 ? `${arrived} late requests arrive` : undefined;
};

// --- time

const jump =
  (name: string, from: number, to: number): Step =>
  async (world) => {
    const ms = world.dice.int(Math.floor(from / SECOND), Math.floor(to / SECOND)) * SECOND;
    await world.pass(ms);
    if (ms >= HOUR) world.tally.fault(`the clock jumps ${name}`);
    return `${Math.round(ms / SECOND)} s pass`;
  };

export const moment = jump('a moment', 3 * SECOND, 40 * SECOND);
export const minutes = jump('minutes', MINUTE, 12 * MINUTE);
export const anHour = jump('an hour', 16 * MINUTE, 70 * MINUTE);
export const aDay = jump('a day', 20 * HOUR, 26 * HOUR);

/** Moves the clock past a customer's deadline. Our workers handle ended windows; no blocks come meanwhile. */
export const silence: Step = async (world) => {
  await world.pass(world.dice.int(72, 90) * HOUR);
  world.tally.fault('the clock jumps days');
  await world.live('a silence', (process) => process.run('due', 'events', 'payments:pay', 'events'));
  await world.pass(world.dice.pick([2, 40]) * MINUTE);
  await world.live('a silence', (process) => process.run('payments:follow', 'events', 'due', 'events'));
  return 'days of silence';
};

/** Time passes while something is in doubt: it proves nothing. */
export const doubtLasts: Step = async (world) => {
  if (world.orders('in_doubt', 'r_in_doubt').length === 0) return undefined;
  await world.pass(world.dice.int(31, 25 * 60) * MINUTE);
  return 'a doubt lasts';
};

/** To just after the next timer of some order: seldom states end there. */
export const deadline: Step = async (world) => {
  const soonest = world
    .orders()
    .flatMap(({ dueAt }: StoredOrder) => (dueAt && dueAt.getTime() > world.now ? [dueAt.getTime()] : []))
    .sort((a, b) => a - b)[0];
  if (soonest === undefined) return undefined;
  await world.pass(Math.min(soonest - world.now + SECOND, 80 * HOUR));
  await world.live('keeping time', (process) => process.run('due', 'events'));
  return `the next deadline is over`;
};
