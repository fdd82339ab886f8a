import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { inspect } from 'node:util';
import { money } from '@kurs/money';
import { wallClock } from '../platform/index.ts';
import { type BadAccount, answersAtOnce, refusesByName } from './accounts.testing.ts';
import { showsWhatLeft } from './own-sends.contract.ts';
import { oddities } from './provider/odd.contract.ts';
import type {
  Account,
  Attempt,
  Webhook,
  Entry,
  Fields,
  VoucherCode,
  Opened,
  PayWay,
  Payin,
  Payout,
  Rail,
  ObservedPayment,
  ReceivingAddress,
} from './rail.ts';

/**
 * One contract for every provider: the behaviour that payments relies on. A provider brings its counterpart from the sandbox. The
 * tests use only `Rail`, and check the results at the counterpart. Features that a provider lacks are absent in its world, and
 * not tested.
 */
export interface ProviderWorld {
  readonly rail: Rail & { readonly payin: Payin };
  /** Currency to test with, its unit, and an ordinary payment in minor units. Our account has at least ten times as much. */
  readonly currency: string;
  readonly unit: string;
  readonly parts: bigint;
  /** Values for `payerFields`. */
  readonly payer?: Fields;
  /** Accounts that `checkAccount` must refuse, with its answer. */
  readonly badAccounts: readonly BadAccount[];
  /** Returns the next unused number. */
  nextIndex(): number;
  /** Pays an opened payment as a customer's browser would. Returns the voucher bought for it, if any. */
  pay(paid: { readonly to: string; readonly way: PayWay; readonly parts: bigint }): Promise<Fields | void>;
  /** Pays so that the provider holds the money first; `settle` books it. */
  payPending?(paid: { readonly to: string; readonly way: PayWay; readonly parts: bigint }): Promise<void>;
  settle?(to: string): Promise<void>;
  /** Takes back the payment of a reference. */
  chargeback?(to: string): Promise<void>;
  /** Returns a real message about a paid reference. */
  message?(to: string): Promise<Webhook>;
  /** Returns messages that must not be trusted, made from a real one: forged ones, and messages of other people's payments. */
  badMessages?(good: Webhook): readonly { readonly why: string; readonly webhook: Webhook }[];
  /** Secrets of the operator's account. */
  readonly secrets: readonly string[];
  /** Makes every call to the provider fail without effect, or work again. */
  fail(on: boolean): void;
  readonly payout?: PayoutWorld;
  close(): Promise<void>;
}

/** World of a provider that also pays out. */
export interface PayoutWorld {
  /** Returns a fresh account of somebody else; `{}` if payouts need no account. */
  receiver(): Promise<Fields>;
  /** Returns an account's balance, or a voucher's worth, by the provider, in minor units. */
  received(to: Fields, voucher: VoucherCode | undefined): Promise<bigint>;
  /** Returns an account of a valid form that can't be paid. */
  wrongPayee?(): Promise<Fields>;
  /** Returns the number of times that the provider executed this attempt. */
  timesDone(attempt: Attempt): Promise<number>;
  /** Sends an attempt so that the provider executes it and its answer is lost. */
  sendUnheard(attempt: Attempt): Promise<void>;
  /** True if the rail repeats its look-up of an earlier send, so that a short silence of the provider leaves no doubt. */
  readonly isInsistent?: true;
  /** Makes the provider return an executed payout to us. */
  giveBack?(attempt: Attempt, txid: string): Promise<void>;
}

/** Declares the contract's tests. `makeWorld` is called once. */
export function providerContract(name: string, makeWorld: () => Promise<ProviderWorld>): void {
  describe(`provider contract: ${name}`, () => {
    let world: ProviderWorld;
    before(async () => {
      world = await makeWorld();
    });
    after(() => world?.close());
    describes(() => world);
    payins(() => world);
    reversals(() => world);
    messages(() => world);
    payouts(() => world);
  });
}

function describes(world: () => ProviderWorld): void {
  it('describes its currencies', () => {
    const { rail, currency, unit, parts } = world();
    assert.equal(rail.kind, 'provider');
    const found = rail.currencies.find(({ code }) => code === currency);
    assert.ok(found, 'the rail has the world’s currency');
    assert.equal(found.unit, unit);
    assert.ok(found.dust > 0n && found.dust < parts);
    assert.equal(found.arrivesAt, 'hot');
    assert.equal(new Set(rail.currencies.map(({ code }) => code)).size, rail.currencies.length);
  });

  it('reports its own health', async () => {
    const { rail, fail } = world();
    assert.equal((await rail.health()).isUp, true);
    fail(true);
    const health = await rail.health();
    fail(false);
    assert.deepEqual([health.isUp, health.isSilent], [false, true], 'no answer is silence, not a refusal');
    assert.doesNotMatch(health.detail, /https?:|key|pass/i);
  });

  it('shows its secrets to no browser, and writes them into no attempt and no error', async () => {
    const { rail, secrets, payout, fail } = world();
    assert.ok(secrets.length > 0);
    const reference = reserve(world());
    const reported: unknown[] = [await open(world(), reference)];
    if (payout) reported.push(await prepared(world(), await payout.receiver()));
    fail(true);
    reported.push(await rail.health());
    for (const call of [() => rail.payin.observe([{ ...reference, id: 'x' }]), () => rail.reserve()])
      reported.push(await call().catch((error: Error) => `${error.message} ${String(error.cause)}`));
    fail(false);
    for (const secret of secrets) assert.ok(!inspect(reported, { depth: 9 }).includes(secret));
  });

  it('has no blocks', async () => {
    assert.deepEqual(await world().rail.payin.tip(), { height: 0, hash: '' });
  });

  it('refuses wrong accounts with their problem, and gives an account one canonical form', async () => {
    const { rail, currency, badAccounts } = world();
    refusesByName(rail.payin, currency, badAccounts);
    if (rail.currencies.some(({ code, fields }) => code === currency && fields.length > 0)) answersAtOnce(rail.payin, currency);
    const to = await world().payout?.receiver();
    if (!to) return;
    const checked = rail.payin.checkAccount(currency, to);
    assert.ok(checked.ok);
    assert.deepEqual(rail.payin.checkAccount(currency, checked.fields), checked);
  });
}

function payins(world: () => ProviderWorld): void {
  it('gives every number its own reference, always the same', () => {
    const { rail, currency } = world();
    const references = Array.from({ length: 20 }, (_, index) => rail.payin.instruct(currency, 1000 + index).to);
    assert.equal(new Set(references).size, references.length);
    const again = references.map((_, index) => rail.payin.instruct(currency, 1000 + index).to);
    assert.deepEqual(references, again);
  });

  it('opens the same payment again for the same reference', async () => {
    const ours = reserve(world());
    assert.deepEqual(await open(world(), ours), await open(world(), ours));
  });

  it('sees nothing without a payment', async () => {
    const reference = reserve(world());
    const { id } = await open(world(), reference);
    assert.deepEqual(await observe(world(), { ...reference, ...(id !== undefined && { id }) }), []);
    assert.deepEqual(await world().rail.payin.observe([]), []);
  });

  it('sees a payment’s exact amount and source, always under one key', async () => {
    const { rail, currency, parts } = world();
    const reference = await paid(world());
    const [observedPayment, ...others] = await observe(world(), reference);
    assert.ok(observedPayment);
    assert.deepEqual(others, []);
    assert.deepEqual([observedPayment.to, observedPayment.currency, observedPayment.parts], [reference.to, currency, parts]);
    assert.ok(observedPayment.key.includes(observedPayment.txid) && observedPayment.txid.length > 0);
    assert.ok((observedPayment.fee ?? 0n) >= 0n && (observedPayment.fee ?? 0n) < parts);
    assertBooked(observedPayment);
    const requests = rail.currencies.find(({ code }) => code === currency)?.payerFields;
    if (requests?.length === 0 && rail.payout) {
      assert.ok(observedPayment.source, 'a refund needs an account');
      assert.ok(Object.keys(observedPayment.source.fields).length > 0 || rail.payin.redeem);
      assertAccount(rail, currency, observedPayment.source);
    }
    assert.deepEqual(await observe(world(), reference), [observedPayment]);
  });

  it('keeps the references of one call apart', async () => {
    const [a, b, c] = [reserve(world()), await paid(world()), await paid(world())];
    const seen = await world().rail.payin.observe([a, b, c]);
    assert.deepEqual(seen.map(({ to }) => to).toSorted(), [b.to, c.to].toSorted());
    assert.equal(new Set(seen.map(({ key }) => key)).size, 2);
  });

  it('concludes nothing while the provider doesn’t answer', async () => {
    const reference = await paid(world());
    world().fail(true);
    await assert.rejects(world().rail.payin.observe([reference]));
    world().fail(false);
    assert.equal((await observe(world(), reference)).length, 1);
  });

  oddities(world, paid);

  it('takes a voucher once', async (t) => {
    const { rail, currency } = world();
    const { redeem } = rail.payin;
    if (!redeem) return t.diagnostic('knows no vouchers');
    const reference = await paid(world());
    const [used] = reference.entries ?? [];
    assert.ok(used);
    const again = await redeem({ id: 'entry:again', currency, to: reserve(world()).to, fields: used.fields });
    assert.deepEqual([again.outcome, again.outcome === 'refused' && again.reason], ['refused', 'wrong']);
  });
}

function reversals(world: () => ProviderWorld): void {
  it('shows a pending payment before it is booked', async (t) => {
    const { payPending, settle, parts } = world();
    if (!payPending || !settle) return t.diagnostic('nothing is ever pending');
    const reference = reserve(world());
    const { way, id } = await open(world(), reference);
    await payPending({ to: reference.to, way, parts });
    const watched = { ...reference, isWanted: true, ...(id !== undefined && { id }) };
    const [pending] = await observe(world(), watched);
    assert.equal(pending?.status.at, 'mempool');
    await settle(reference.to);
    const [settled] = await observe(world(), watched);
    assert.equal(settled?.key, pending?.key);
    assertBooked(settled);
  });

  it('shows a payment that was taken back', async (t) => {
    const { chargeback } = world();
    if (!chargeback) return t.diagnostic('nothing is taken back');
    const reference = await paid(world());
    const [before] = await observe(world(), reference);
    await chargeback(reference.to);
    const [after] = await observe(world(), reference);
    assert.equal(after?.key, before?.key);
    assert.deepEqual(after?.status, { at: 'taken_back', reason: 'chargeback' });
  });
}

function messages(world: () => ProviderWorld): void {
  it('trusts the provider’s messages, and no forged ones', async (t) => {
    const { message, badMessages, rail } = world();
    if (!message || !rail.payin.check) return t.diagnostic('sends no messages');
    const reference = await paid(world());
    const good = await message(reference.to);
    const proof = await rail.payin.check(good);
    assert.equal(proof.isProven, true);
    // The message names our reference, or only the provider's own id of the payment.
    assert.ok(proof.to === reference.to || (proof.to === undefined && reference.id !== undefined));
    const bad = badMessages?.(good) ?? [];
    assert.ok(bad.length > 2);
    for (const { why, webhook } of bad) assert.equal((await rail.payin.check(webhook)).isProven, false, why);
    const empty = await rail.payin.check({ raw: Buffer.alloc(0), headers: good.headers });
    assert.equal(empty.isProven, false);
  });
}

function payouts(world: () => ProviderWorld): void {
  it('pays once, even if it is sent several times', async (t) => {
    const side = world().payout;
    if (!side) return t.diagnostic('pays nothing out');
    const to = await side.receiver();
    const before = await payable(world());
    const attempt = await prepared(world(), to);
    assert.equal(await side.timesDone(attempt), 0, 'preparing moves nothing');
    assert.equal(await payable(world()), before);
    const sent = await payoutOf(world()).send(attempt);
    assert.equal(sent.outcome, 'accepted');
    assert.equal(await side.timesDone(attempt), 1);
    assert.equal(await side.received(to, 'voucher' in sent ? sent.voucher : undefined), world().parts);
    const found = await payoutOf(world()).find(attempt);
    assert.ok(found.outcome === 'mined' && found.ok && found.isFinalised && found.confirmations >= 1);
    assert.equal(await payable(world()), before - world().parts - found.fee);
    await payoutOf(world()).send(attempt);
    assert.equal(await side.timesDone(attempt), 1);
    const twice = await prepared(world(), await side.receiver());
    await Promise.all([payoutOf(world()).send(twice), payoutOf(world()).send(twice)]);
    assert.equal(await side.timesDone(twice), 1, 'sent twice at the same time');
  });

  it('finds a send whose answer was lost, and doesn’t repeat it', async (t) => {
    const side = world().payout;
    if (!side) return t.diagnostic('pays nothing out');
    const to = await side.receiver();
    const attempt = await prepared(world(), to);
    await side.sendUnheard(attempt);
    assert.equal(await side.timesDone(attempt), 1);
    const found = await payoutOf(world()).find(attempt);
    assert.ok(found.outcome === 'mined' && found.ok, found.outcome);
    assert.equal(await side.received(to, found.voucher), world().parts);
    await payoutOf(world()).send(attempt);
    assert.equal(await side.timesDone(attempt), 1);
  });

  it('sends once despite a short silence of the provider', async (t) => {
    const side = world().payout;
    if (!side) return t.diagnostic('pays nothing out');
    const attempt = await prepared(world(), await side.receiver());
    world().fail(true);
    const back = setTimeout(() => world().fail(false), 100);
    const { outcome } = await payoutOf(world()).send(attempt);
    clearTimeout(back);
    world().fail(false);
    if (side.isInsistent) assert.equal(outcome, 'accepted');
    assert.notEqual(outcome, 'refused', 'no answer is no refusal');
    assert.equal((await payoutOf(world()).send(attempt)).outcome, 'accepted');
    assert.equal(await side.timesDone(attempt), 1);
  });

  it('reports a send as unknown while the provider doesn’t answer, and never as conclusively absent', async (t) => {
    const side = world().payout;
    if (!side) return t.diagnostic('pays nothing out');
    const attempt = await prepared(world(), await side.receiver());
    world().fail(true);
    const sent = await payoutOf(world()).send(attempt);
    await assert.rejects(payoutOf(world()).find(attempt));
    world().fail(false);
    assert.equal(sent.outcome, 'unknown');
    assert.equal(await side.timesDone(attempt), 0);
    assert.deepEqual(await payoutOf(world()).find(attempt), { outcome: 'absent', isConclusive: false });
  });

  showsWhatLeft(world, prepared);
  it('refuses a payee that can’t be paid', async (t) => {
    const side = world().payout;
    if (!side?.wrongPayee) return t.diagnostic('has no payees');
    const made = await prepare(world(), await side.wrongPayee(), world().parts);
    if (!made.ok) return assert.equal(made.reason, 'refused');
    assert.equal((await payoutOf(world()).send(made.attempt)).outcome, 'refused');
    assert.equal(await side.timesDone(made.attempt), 0);
  });

  it('prepares no payout above its balance', async (t) => {
    const side = world().payout;
    if (!side) return t.diagnostic('pays nothing out');
    const made = await prepare(world(), await side.receiver(), (await payable(world())) + 1n);
    assert.equal(made.ok ? 'prepared' : made.reason, 'no_float');
  });

  it('shows a payout that came back', async (t) => {
    const side = world().payout;
    if (!side?.giveBack) return t.diagnostic('nothing comes back');
    const attempt = await prepared(world(), await side.receiver());
    const sent = await payoutOf(world()).send(attempt);
    assert.ok(sent.outcome === 'accepted');
    await side.giveBack(attempt, sent.txid);
    const found = await payoutOf(world()).find(attempt);
    assert.ok(found.outcome === 'mined' && !found.ok && found.isFinalised);
  });
}

/** Returns an unused reference. */
function reserve({ rail, currency, nextIndex }: ProviderWorld): ReceivingAddress {
  return { currency, to: rail.payin.instruct(currency, nextIndex()).to, sinceHeight: 0 };
}

/** Return pages and time limit, equal each time that a payment is opened. */
const back = { success: '/paid', fail: '/unpaid' };
const until = new Date(wallClock().getTime() + 900_000);

async function open(world: ProviderWorld, { to, currency }: ReceivingAddress): Promise<Opened & { readonly ok: true }> {
  const { rail, unit, parts, payer = {} } = world;
  const request = { currency, to, amount: money(unit, parts), label: 'KU-1234-5678', back, locale: 'en' as const, until, payer };
  assert.ok(rail.payin.open, 'a provider opens its payments');
  const opened = await rail.payin.open(request);
  assert.ok(opened.ok, opened.ok ? '' : opened.detail);
  return opened;
}

/** Returns a reference with an ordinary payment: opened, paid by the customer, and with the voucher redeemed if they bought one. */
async function paid(world: ProviderWorld): Promise<ReceivingAddress> {
  const reference = { ...reserve(world), isWanted: true };
  const { way, id } = await open(world, reference);
  const bought = await world.pay({ to: reference.to, way, parts: world.parts });
  const watched = { ...reference, ...(id !== undefined && { id }) };
  if (!bought) return watched;
  const entry: Entry = { id: `entry:${reference.to}`, currency: reference.currency, to: reference.to, fields: bought };
  assert.deepEqual(await world.rail.payin.redeem?.(entry), { outcome: 'redeemed' });
  return { ...watched, entries: [entry] };
}

const observe = async ({ rail }: ProviderWorld, reference: ReceivingAddress): Promise<ObservedPayment[]> =>
  rail.payin.observe([reference]);

/** Asserts that `checkAccount` accepts the account for a refund unchanged, as it will when the payout is requested. */
function assertAccount({ payin }: ProviderWorld['rail'], currency: string, { fields, key }: Account): void {
  if (Object.keys(fields).length === 0) return;
  assert.deepEqual(payin.checkAccount(currency, fields), { ok: true, fields, key });
}

function assertBooked(observedPayment: ObservedPayment | undefined): void {
  const { status } = observedPayment ?? {};
  assert.ok(status?.at === 'block' && status.isFinalised && status.confirmations >= 1);
  assert.ok(Math.abs(status.minedAt.getTime() - wallClock().getTime()) < 60_000, 'booked now');
}

function payoutOf({ rail }: ProviderWorld): Payout {
  assert.ok(rail.payout);
  return rail.payout;
}

async function payable({ rail, currency }: ProviderWorld): Promise<bigint> {
  const balances = await rail.reserve();
  return balances.find((balance) => balance.currency === currency && balance.place === 'hot')?.payable ?? 0n;
}

let payoutCount = 0;
function prepare(world: ProviderWorld, to: Fields, parts: bigint) {
  payoutCount += 1;
  const item = { id: `019abcde-0000-7000-8000-${String(payoutCount).padStart(12, '0')}`, currency: world.currency, to, parts };
  return payoutOf(world).prepare([item], { spent: [], unconfirmed: [], indexes: [], changeIndex: 0 });
}

async function prepared(world: ProviderWorld, to: Fields): Promise<Attempt> {
  const made = await prepare(world, to, world.parts);
  assert.ok(made.ok, made.ok ? '' : `${made.reason}: ${made.detail}`);
  return made.attempt;
}
