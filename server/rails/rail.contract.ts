import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { money, type Money } from '@kurs/money';
import { type BadAccount, answersAtOnce, refusesByName } from './accounts.testing.ts';
import { showsItsSends } from './own-sends.contract.ts';
import { scanned } from './scan.contract.ts';
import type { Attempt, Fate, Fields, Payin, Payout, Prepared, Rail, RailBalance, ObservedPayment, WalletState } from './rail.ts';

/**
 * One contract for every rail: the behaviour that payments relies on. A rail brings a world in which its money really moves (a
 * test chain, a provider's simulator, the in-memory rail). The tests use only `Rail`, and check the results in that world.
 */
export interface RailWorld {
  readonly rail: Rail;
  /** The currency to test with, and its unit. */
  readonly currency: string;
  readonly unit: string;
  /** An ordinary payment, in minor units; the float has several times as much. */
  readonly parts: bigint;
  /** Number of blocks that makes a payment final, and excludes a conflicting send. */
  readonly finalBlocks: number;
  /** Accounts that `checkAccount` must refuse, with its answer. */
  readonly badAccounts: readonly BadAccount[];
  /** Moves the chain's clock past the expiration of a prepared send. Present if a send can only expire. */
  expire?(): Promise<void>;
  /** Returns the next unused derivation index. */
  nextIndex(): number;
  /** Pays as a customer does; the rail may see it at once or only in a block. */
  pay(to: string, parts: bigint): Promise<void>;
  /** Mines blocks. */
  blocks(count: number): Promise<void>;
  /** Replaces the newest blocks. `drop`: without their transactions; otherwise these are mined again. */
  reorg(depth: number, drop: boolean): Promise<void>;
  /** Returns a fresh account of somebody else. */
  receiver(): Promise<Fields>;
  /** Returns an account's balance by the rail, in minor units. */
  received(to: Fields): Promise<bigint>;
  /** Returns payments' state from the attempts noted so far. */
  state(): WalletState;
  /** Notes an attempt as stored, before it is sent. `done`: it has ended, and its change is an ordinary coin. */
  note(attempt: Attempt, done?: boolean): void;
  close(): Promise<void>;
}

type PayinRail = Rail & { readonly payin: Payin };
type PayoutRail = Rail & { readonly payout: Payout };

/** Declares the contract's tests. `makeWorld` is called once; features that the rail lacks are not tested. */
export function railContract(name: string, makeWorld: () => Promise<RailWorld>): void {
  describe(`rail contract: ${name}`, () => {
    let world: RailWorld;
    before(async () => {
      world = await makeWorld();
    });
    after(() => world?.close());
    describes(() => world);
    payins(() => world);
    payouts(() => world);
    scanned(() => world);
  });
}

function describes(world: () => RailWorld): void {
  it('describes its currencies', () => {
    const { rail, currency, unit } = world();
    const found = rail.currencies.find(({ code }) => code === currency);
    assert.ok(found, 'the rail has the world’s currency');
    assert.equal(found.unit, unit);
    assert.ok(found.dust > 0n && found.dust < world().parts);
    assert.ok(found.fields.some(({ required }) => required));
    assert.equal(new Set(rail.currencies.map(({ code }) => code)).size, rail.currencies.length);
  });

  it('is up', async () => {
    const health = await world().rail.health();
    assert.equal(health.isUp, true, health.detail);
  });
}

function payins(world: () => RailWorld): void {
  const payinRail = (): PayinRail => withPayin(world().rail);

  it('gives every index its own address, always the same', () => {
    const { currency } = world();
    const { payin } = payinRail();
    const addresses = Array.from({ length: 20 }, (_, index) => payin.instruct(currency, 1000 + index).to);
    assert.equal(new Set(addresses).size, addresses.length);
    assert.deepEqual(
      addresses,
      addresses.map((_, index) => payin.instruct(currency, 1000 + index).to),
    );
  });

  it('accepts its own addresses as accounts, in one canonical form', () => {
    const { currency } = world();
    const { payin } = payinRail();
    const { to } = payin.instruct(currency, 7);
    const checked = payin.checkAccount(currency, { address: ` ${to} ` });
    assert.ok(checked.ok);
    assert.deepEqual(payin.checkAccount(currency, checked.fields), checked);
    assert.ok(checked.key.length > 0);
  });

  it('refuses wrong accounts with their problem', () => {
    refusesByName(payinRail().payin, world().currency, world().badAccounts);
    answersAtOnce(payinRail().payin, world().currency);
  });

  it('makes a link with the address and the exact amount', () => {
    const { currency, unit, parts } = world();
    const { payin } = payinRail();
    const { to } = payin.instruct(currency, 7);
    const uri = payin.uri(currency, to, money(unit, parts));
    assert.match(uri, /^[a-z]+:/);
    assert.ok(uri.includes(to));
  });

  it('makes codes to scan that begin with the address', () => {
    const { currency, unit, parts } = world();
    const { payin } = payinRail();
    const { to } = payin.instruct(currency, 7);
    const code = payin.code?.(currency, to, money(unit, parts)) ?? to;
    assert.ok(code === to || code.startsWith(`bitcoin:${to}?amount=`), code);
    assert.equal(code === to, !payin.code);
  });

  it('sees nothing without a payment', async () => {
    const address = await watch(world());
    assert.deepEqual(await payinRail().payin.observe([address]), []);
    assert.deepEqual(await payinRail().payin.observe([]), []);
  });

  it('sees exact payments, counts their confirmations and keeps their keys', async () => {
    const { parts } = world();
    const address = await watch(world());
    await world().pay(address.to, parts);
    await world().pay(address.to, parts + 1n);
    await world().blocks(1);
    const first = await observeOne(world(), address);
    assert.deepEqual(sorted(first.map((observedPayment) => observedPayment.parts)), [parts, parts + 1n]);
    assert.equal(new Set(first.map(({ key }) => key)).size, 2);
    for (const observedPayment of first) {
      assert.equal(observedPayment.to, address.to);
      assert.equal(observedPayment.currency, world().currency);
      assert.ok(observedPayment.from.length > 0 && !observedPayment.from.includes(address.to));
      assert.ok(observedPayment.key.includes(observedPayment.txid));
    }
    const before = confirmations(first);
    await world().blocks(2);
    const later = await observeOne(world(), address);
    assert.deepEqual(keys(later), keys(first));
    assert.deepEqual(
      confirmations(later),
      before.map((count) => count + 2),
    );
  });

  it('keeps the addresses of one call apart', async () => {
    const { parts } = world();
    const [a, b] = [await watch(world()), await watch(world())];
    await world().pay(b.to, parts);
    await world().blocks(1);
    const observedPayments = await payinRail().payin.observe([a, b]);
    assert.deepEqual(
      observedPayments.map(({ to }) => to),
      [b.to],
    );
  });

  it('proves nothing by not finding a payment', async () => {
    const address = await watch(world());
    const { currency, parts } = world();
    const nowhere = { ...address, currency, parts, key: 'f'.repeat(64), txid: 'f'.repeat(64), from: [], inputs: [] };
    assert.deepEqual(
      (await payinRail().payin.seek?.([nowhere]))?.map(({ is }) => is),
      ['unknown'],
    );
  });

  for (const depth of [1, 3, 6]) {
    it(`follows a reorg of depth ${depth}: a payment is mined again under the same key, or gone`, async () => {
      const address = await watch(world());
      await world().pay(address.to, world().parts);
      await world().blocks(depth);
      const first = await observeOne(world(), address);
      assert.equal(first.length, 1);
      const [stands] = await seekMissing(world(), first);
      assert.notEqual(stands?.is, 'gone', 'a payment in its block is not gone');
      const tip = await payinRail().payin.tip();
      await world().reorg(depth, false);
      await world().blocks(1);
      assert.notEqual((await payinRail().payin.tip()).hash, tip.hash);
      const again = await observeOne(world(), address);
      assert.deepEqual(keys(again), keys(first));

      const dropped = await watch(world());
      await world().pay(dropped.to, world().parts);
      await world().blocks(depth);
      const [lost] = await observeOne(world(), dropped);
      assert.ok(lost?.status.at === 'block');
      await world().reorg(depth, true);
      assert.deepEqual(await payinRail().payin.observe([dropped]), []);
      const [gone] = await seekMissing(world(), [lost]);
      assert.ok(gone?.is === 'gone' && gone.by.kind === 'block', 'another block has replaced its block');
      assert.equal(gone.by.height, lost.status.height);
      assert.notEqual(gone.by.hash, lost.status.hash);
      assert.ok(gone.by.tip >= lost.status.height);
    });
  }
}

function payouts(world: () => RailWorld): void {
  const payoutRail = (): PayoutRail => withPayout(world().rail);
  const item = (to: Fields, parts: bigint, id: string) => ({ id, currency: world().currency, to, parts });

  it('prepares without moving money, pays once even if sent several times, and is found', async () => {
    const { payout } = payoutRail();
    const { parts } = world();
    const to = await world().receiver();
    const attempt = await prepared(payout.prepare([item(to, parts, 'one')], world().state()));
    assert.deepEqual(attempt.items, ['one']);
    assert.ok(attempt.spends.length > 0);
    assert.ok(attempt.fee.parts > 0n);
    world().note(attempt);
    assert.equal(await world().received(to), 0n);
    assert.deepEqual(await payout.find(attempt), { outcome: 'absent', isConclusive: false });

    const sent = await payout.send(attempt);
    assert.equal(sent.outcome, 'accepted');
    assert.equal((await payout.send(attempt)).outcome, 'accepted', 'the same bytes are sent again');
    assert.ok(['pending', 'mined'].includes((await payout.find(attempt)).outcome));
    await world().blocks(world().finalBlocks);
    const found = await payout.find(attempt);
    assert.equal(found.outcome, 'mined');
    assert.ok(found.outcome === 'mined' && found.ok && found.confirmations >= world().finalBlocks && found.fee > 0n);
    assert.equal((await payout.send(attempt)).outcome, 'accepted', 'the same bytes are sent after they were mined');
    assert.equal(await world().received(to), parts);
    world().note(attempt, true);
  });

  it('pays a whole batch exactly', async () => {
    const { payout } = payoutRail();
    const count = Math.min(payout.batch, 5);
    const items = [];
    for (let index = 0; index < count; index += 1)
      items.push(item(await world().receiver(), world().parts + BigInt(index), `batch-${index}`));
    const before = await hot(world());
    const attempt = await prepared(payout.prepare(items, world().state()));
    assert.deepEqual(
      [...attempt.items],
      items.map(({ id }) => id),
    );
    world().note(attempt);
    await payout.send(attempt);
    await world().blocks(world().finalBlocks);
    const found = await payout.find(attempt);
    assert.ok(found.outcome === 'mined');
    world().note(attempt, true);
    for (const { to, parts } of items) assert.equal(await world().received(to), parts);
    const gone = items.reduce((sum, { parts }) => sum + parts, attempt.fee.currency === world().currency ? found.fee : 0n);
    assert.equal(before.parts - (await hot(world())).parts, gone, 'the reserve fell by exactly the payouts and the fee');
  });

  it('makes several attempts before any is mined, each with its own spends', async () => {
    const { payout } = payoutRail();
    const attempts: Attempt[] = [];
    const receivers: Fields[] = [];
    for (let index = 0; index < 4; index += 1) {
      const to = await world().receiver();
      const attempt = await prepared(payout.prepare([item(to, world().parts, `chain-${index}`)], world().state()));
      world().note(attempt);
      assert.equal((await payout.send(attempt)).outcome, 'accepted');
      attempts.push(attempt);
      receivers.push(to);
    }
    const spends = attempts.flatMap((attempt) => attempt.spends);
    assert.equal(new Set(spends).size, spends.length);
    await world().blocks(world().finalBlocks);
    for (const to of receivers) assert.equal(await world().received(to), world().parts);
    for (const attempt of attempts) world().note(attempt, true);
  });

  it('rules a send out only once a final one has used its spend, or once it has expired', async () => {
    if (world().expire) return endsByItself(world());
    const { payout } = payoutRail();
    const state = world().state();
    const [loser, winner] = [await world().receiver(), await world().receiver()];
    const lost = await prepared(payout.prepare([item(loser, world().parts, 'lost')], state));
    const won = await prepared(payout.prepare([item(winner, world().parts, 'won')], state));
    assert.ok(
      lost.spends.some((spend) => won.spends.includes(spend)),
      'attempts from the same state share a spend',
    );
    world().note(won);
    assert.equal((await payout.send(won)).outcome, 'accepted');
    assert.equal((await payout.send(lost)).outcome, 'unknown', 'the node’s present refusal is not final');
    assert.deepEqual(await payout.find(lost), { outcome: 'absent', isConclusive: false });
    await world().blocks(1);
    if (world().finalBlocks > 1) assert.deepEqual(await payout.find(lost), { outcome: 'absent', isConclusive: false });
    await world().blocks(world().finalBlocks - 1);
    assert.deepEqual(await payout.find(lost), { outcome: 'absent', isConclusive: true });
    assert.equal((await payout.send(lost)).outcome, 'refused');
    assert.equal(await world().received(loser), 0n);
    assert.equal(await world().received(winner), world().parts);
    world().note(won, true);
  });

  showsItsSends(world);

  it('prepares nothing without enough float', async () => {
    const { payout } = payoutRail();
    const to = await world().receiver();
    const { parts } = await hot(world());
    const answer = await payout.prepare([item(to, parts + 1n, 'too much')], world().state());
    assert.ok(
      !answer.ok && answer.reason === 'no_float',
      JSON.stringify(answer, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)),
    );
  });

  it('estimates the cost of a send', async () => {
    const estimate = await payoutRail().payout.estimate(world().currency);
    assert.ok(estimate.parts > 0n);
  });

  it('sends the same bytes again after a reorg has dropped them', async () => {
    const { payout } = payoutRail();
    const to = await world().receiver();
    const attempt = await prepared(payout.prepare([item(to, world().parts, 'again')], world().state()));
    world().note(attempt);
    await payout.send(attempt);
    await world().blocks(2);
    assert.equal((await payout.find(attempt)).outcome, 'mined');
    await world().reorg(2, true);
    assert.deepEqual(await payout.find(attempt), { outcome: 'absent', isConclusive: false });
    assert.equal((await payout.send(attempt)).outcome, 'accepted');
    await world().blocks(world().finalBlocks);
    assert.equal(await world().received(to), world().parts);
    world().note(attempt, true);
  });
}

/** Tests a chain without inputs and nonces: an expired transaction that the final chain lacks can never be mined. */
async function endsByItself(world: RailWorld): Promise<void> {
  const { payout } = withPayout(world.rail);
  const to = await world.receiver();
  const lost = await prepared(payout.prepare([{ id: 'lost', currency: world.currency, to, parts: world.parts }], world.state()));
  world.note(lost);
  assert.deepEqual(await payout.find(lost), { outcome: 'absent', isConclusive: false });
  await world.blocks(2 * world.finalBlocks);
  assert.deepEqual(await payout.find(lost), { outcome: 'absent', isConclusive: false }, 'blocks alone don’t end a send');
  await world.expire?.();
  assert.equal((await payout.send(lost)).outcome, 'unknown', 'the node’s present refusal is not final');
  await world.blocks(world.finalBlocks);
  assert.deepEqual(
    await payout.find(lost),
    { outcome: 'absent', isConclusive: false },
    'an expiration that isn’t final doesn’t either',
  );
  await world.blocks(world.finalBlocks);
  assert.deepEqual(await payout.find(lost), { outcome: 'absent', isConclusive: true });
  assert.equal((await payout.send(lost)).outcome, 'refused');
  assert.equal(await world.received(to), 0n);
  world.note(lost, true);
}

function withPayin(rail: Rail): PayinRail {
  assert.ok(rail.payin, `${rail.id} takes payments`);
  return rail as PayinRail;
}

function withPayout(rail: Rail): PayoutRail {
  assert.ok(rail.payout, `${rail.id} sends payments`);
  return rail as PayoutRail;
}

async function watch(world: RailWorld): Promise<{ currency: string; to: string; sinceHeight: number }> {
  const { payin } = withPayin(world.rail);
  const { height } = await payin.tip();
  return { currency: world.currency, to: payin.instruct(world.currency, world.nextIndex()).to, sinceHeight: height };
}

async function observeOne(
  world: RailWorld,
  address: { currency: string; to: string; sinceHeight: number },
): Promise<ObservedPayment[]> {
  const observedPayments = await withPayin(world.rail).payin.observe([address]);
  return observedPayments.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

/** Returns the outcome for shown payments, as if a poll no longer showed them. */
async function seekMissing(world: RailWorld, observedPayments: readonly ObservedPayment[]): Promise<readonly Fate[]> {
  const missing = observedPayments.map(({ status, inputs = [], ...payment }) => ({
    ...{ ...payment, inputs },
    ...(status.at === 'block' && { block: { height: status.height, hash: status.hash } }),
  }));
  const fates = await withPayin(world.rail).payin.seek?.(missing);
  assert.ok(fates, `${world.rail.id} can search for missing payments`);
  return fates;
}

async function hot(world: RailWorld): Promise<RailBalance> {
  const balances = await world.rail.reserve(world.state());
  const found = balances.find(({ currency, place }) => currency === world.currency && place === 'hot');
  assert.ok(found, 'the rail reports its hot balance');
  return found;
}

async function prepared(answer: Promise<Prepared>): Promise<Attempt> {
  const result = await answer;
  assert.ok(result.ok, result.ok ? '' : `${result.reason}: ${result.detail}`);
  return result.attempt;
}

function confirmations(observedPayments: readonly ObservedPayment[]): number[] {
  return observedPayments.map(({ status }) => (status.at === 'block' ? status.confirmations : 0));
}

function keys(observedPayments: readonly ObservedPayment[]): string[] {
  return observedPayments.map(({ key }) => key);
}

function sorted(values: readonly Money['parts'][] | readonly bigint[]): bigint[] {
  return [...values].toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}
