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
  /** An ordinary payment, in unit parts; several times this is in the float. */
  readonly parts: bigint;
  /** Number of blocks that makes a payment final, and excludes a conflicting send. */
  readonly finalBlocks: number;
  /** Accounts that `checkAccount` must refuse, with its answer. */
  readonly badAccounts: readonly BadAccount[];
  /** Present if only time ends a send: moves the chain's clock past the end of a prepared one. */
  expire?(): Promise<void>;
  /** The next derivation index that nobody has used. */
  nextIndex(): number;
  /** A customer pays; it may be seen at once or only in a block. */
  pay(to: string, parts: bigint): Promise<void>;
  blocks(count: number): Promise<void>;
  /** Replaces the newest blocks. `drop`: their transactions never happened; else they happen again. */
  reorg(depth: number, drop: boolean): Promise<void>;
  /** A fresh account of somebody else, and what it holds by the rail's own word. */
  receiver(): Promise<Fields>;
  received(to: Fields): Promise<bigint>;
  /** Returns payments' state from the attempts noted so far. */
  state(): WalletState;
  /** Notes that an attempt was stored (before it is sent); `done` that it has ended and its change is an ordinary coin. */
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
    assert.ok(found, 'the currency of the world is the rail’s');
    assert.equal(found.unit, unit);
    assert.ok(found.dust > 0n && found.dust < world().parts);
    assert.ok(found.fields.some(({ required }) => required));
    assert.equal(new Set(rail.currencies.map(({ code }) => code)).size, rail.currencies.length);
  });

  it('is up, and close can be called once', async () => {
    const health = await world().rail.health();
    assert.equal(health.up, true, health.detail);
  });
}

function payins(world: () => RailWorld): void {
  const payinRail = (): PayinRail => withPayin(world().rail);

  it('gives every index an address of its own, always the same', () => {
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

  it('refuses wrong accounts by name', () => {
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

  it('has codes to scan that name the address first, whatever else they hold', () => {
    const { currency, unit, parts } = world();
    const { payin } = payinRail();
    const { to } = payin.instruct(currency, 7);
    const code = payin.code?.(currency, to, money(unit, parts)) ?? to;
    assert.ok(code === to || code.startsWith(`bitcoin:${to}?amount=`), code);
    assert.equal(code === to, !payin.code);
  });

  it('sees nothing where nothing was paid', async () => {
    const address = await watch(world());
    assert.deepEqual(await payinRail().payin.observe([address]), []);
    assert.deepEqual(await payinRail().payin.observe([]), []);
  });

  it('sees payments to the part, counts confirmations and keeps their keys', async () => {
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
    it(`follows a reorg of depth ${depth}: mined again under the same key, or gone`, async () => {
      const address = await watch(world());
      await world().pay(address.to, world().parts);
      await world().blocks(depth);
      const first = await observeOne(world(), address);
      assert.equal(first.length, 1);
      const [stands] = await seekMissing(world(), first);
      assert.notEqual(stands?.is, 'gone', 'what stands is not gone, no matter who asks');
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
      assert.ok(gone?.is === 'gone' && gone.by.kind === 'block', 'another block stands in the place of its own');
      assert.equal(gone.by.height, lost.status.height);
      assert.notEqual(gone.by.hash, lost.status.hash);
      assert.ok(gone.by.tip >= lost.status.height);
    });
  }
}

function payouts(world: () => RailWorld): void {
  const payoutRail = (): PayoutRail => withPayout(world().rail);
  const item = (to: Fields, parts: bigint, id: string) => ({ id, currency: world().currency, to, parts });

  it('prepares without moving anything, sends once however often it is sent, and is found', async () => {
    const { payout } = payoutRail();
    const { parts } = world();
    const to = await world().receiver();
    const attempt = await prepared(payout.prepare([item(to, parts, 'one')], world().state()));
    assert.deepEqual(attempt.items, ['one']);
    assert.ok(attempt.spends.length > 0);
    assert.ok(attempt.fee.parts > 0n);
    world().note(attempt);
    assert.equal(await world().received(to), 0n);
    assert.deepEqual(await payout.find(attempt), { outcome: 'absent', conclusive: false });

    const sent = await payout.send(attempt);
    assert.equal(sent.outcome, 'accepted');
    assert.equal((await payout.send(attempt)).outcome, 'accepted', 'the same bytes again');
    assert.ok(['pending', 'mined'].includes((await payout.find(attempt)).outcome));
    await world().blocks(world().finalBlocks);
    const found = await payout.find(attempt);
    assert.equal(found.outcome, 'mined');
    assert.ok(found.outcome === 'mined' && found.ok && found.confirmations >= world().finalBlocks && found.fee > 0n);
    assert.equal((await payout.send(attempt)).outcome, 'accepted', 'the same bytes after they were mined');
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
    assert.equal(before.parts - (await hot(world())).parts, gone, 'the reserve fell by the payouts and the fee, to the part');
  });

  it('can make many attempts before any is mined, and none of them spends the same', async () => {
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

  it('knows that a send can never happen once another final one spent the same, and only then', async () => {
    if (world().expire) return endsByItself(world());
    const { payout } = payoutRail();
    const state = world().state();
    const [loser, winner] = [await world().receiver(), await world().receiver()];
    const lost = await prepared(payout.prepare([item(loser, world().parts, 'lost')], state));
    const won = await prepared(payout.prepare([item(winner, world().parts, 'won')], state));
    assert.ok(
      lost.spends.some((spend) => won.spends.includes(spend)),
      'the same state spends the same',
    );
    world().note(won);
    assert.equal((await payout.send(won)).outcome, 'accepted');
    assert.equal((await payout.send(lost)).outcome, 'unknown', 'what a node thinks now is not final');
    assert.deepEqual(await payout.find(lost), { outcome: 'absent', conclusive: false });
    await world().blocks(1);
    if (world().finalBlocks > 1) assert.deepEqual(await payout.find(lost), { outcome: 'absent', conclusive: false });
    await world().blocks(world().finalBlocks - 1);
    assert.deepEqual(await payout.find(lost), { outcome: 'absent', conclusive: true });
    assert.equal((await payout.send(lost)).outcome, 'refused');
    assert.equal(await world().received(loser), 0n);
    assert.equal(await world().received(winner), world().parts);
    world().note(won, true);
  });

  showsItsSends(world);

  it('says so when it has not enough, and makes nothing', async () => {
    const { payout } = payoutRail();
    const to = await world().receiver();
    const { parts } = await hot(world());
    const answer = await payout.prepare([item(to, parts + 1n, 'too much')], world().state());
    assert.ok(
      !answer.ok && answer.reason === 'no_float',
      JSON.stringify(answer, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)),
    );
  });

  it('estimates what a send costs', async () => {
    const estimate = await payoutRail().payout.estimate(world().currency);
    assert.ok(estimate.parts > 0n);
  });

  it('sends the same bytes again after a reorg dropped them', async () => {
    const { payout } = payoutRail();
    const to = await world().receiver();
    const attempt = await prepared(payout.prepare([item(to, world().parts, 'again')], world().state()));
    world().note(attempt);
    await payout.send(attempt);
    await world().blocks(2);
    assert.equal((await payout.find(attempt)).outcome, 'mined');
    await world().reorg(2, true);
    assert.deepEqual(await payout.find(attempt), { outcome: 'absent', conclusive: false });
    assert.equal((await payout.send(attempt)).outcome, 'accepted');
    await world().blocks(world().finalBlocks);
    assert.equal(await world().received(to), world().parts);
    world().note(attempt, true);
  });
}

/** On a chain without inputs and nonces: an expired transaction that the final chain lacks can never happen. */
async function endsByItself(world: RailWorld): Promise<void> {
  const { payout } = withPayout(world.rail);
  const to = await world.receiver();
  const lost = await prepared(payout.prepare([{ id: 'lost', currency: world.currency, to, parts: world.parts }], world.state()));
  world.note(lost);
  assert.deepEqual(await payout.find(lost), { outcome: 'absent', conclusive: false });
  await world.blocks(2 * world.finalBlocks);
  assert.deepEqual(await payout.find(lost), { outcome: 'absent', conclusive: false }, 'blocks alone end nothing');
  await world.expire?.();
  assert.equal((await payout.send(lost)).outcome, 'unknown', 'what a node thinks now is not final');
  await world.blocks(world.finalBlocks);
  assert.deepEqual(await payout.find(lost), { outcome: 'absent', conclusive: false }, 'nor is the end alone');
  await world.blocks(world.finalBlocks);
  assert.deepEqual(await payout.find(lost), { outcome: 'absent', conclusive: true });
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
  assert.ok(fates, `${world.rail.id} can say what became of a payment`);
  return fates;
}

async function hot(world: RailWorld): Promise<RailBalance> {
  const balances = await world.rail.reserve(world.state());
  const found = balances.find(({ currency, place }) => currency === world.currency && place === 'hot');
  assert.ok(found, 'the rail says what is hot');
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
