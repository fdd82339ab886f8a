import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Attempt, Fields, OwnSend, Prepared, Rail, WalletState } from './rail.ts';

/** Requirements of the tests of a rail's own sends. */
export interface SendingWorld {
  readonly rail: Rail;
  readonly currency: string;
  readonly parts: bigint;
  readonly finalBlocks: number;
  expire?(): Promise<void>;
  blocks(count: number): Promise<void>;
  receiver(): Promise<Fields>;
  state(): WalletState;
  note(attempt: Attempt, done?: boolean): void;
}

/** Part of the contract about sends from our own account that the books don't know. */
export function showsItsSends(world: () => SendingWorld): void {
  it('shows a send that the books don’t know with its payments, and names the transaction that excludes another send', async (t) => {
    const { payout, payin } = world().rail;
    if (!payout?.ownSends || !payin) return t.diagnostic('shows no sends');
    const item = (to: Fields, id: string) => ({ id, currency: world().currency, to, parts: world().parts });
    const before = world().state();
    const shown = async (): Promise<readonly OwnSend[]> => {
      const answer = await payout.ownSends?.({ state: before, isFirst: true });
      assert.ok(answer && !answer.isUnfinished);
      return answer.sends;
    };
    const known = (await shown()).map(({ reference }) => reference);
    const [to, other] = [await world().receiver(), await world().receiver()];
    const sent = await prepared(payout.prepare([item(to, 'unknown')], before));
    const late = await prepared(payout.prepare([item(other, 'late')], before));
    world().note(sent);
    assert.equal((await payout.send(sent)).outcome, 'accepted');
    await world().blocks(world().finalBlocks);
    const fresh = (await shown()).filter(({ reference }) => !known.includes(reference));
    assert.deepEqual(
      fresh.map(({ reference }) => reference),
      [sent.reference],
    );
    const [{ pays = [], at, nonces } = {}] = fresh;
    const [{ currency, parts, to: receiver = '' } = {}, ...more] = pays;
    assert.deepEqual([currency, parts, more], [world().currency, world().parts, []]);
    const account = payin.checkAccount(world().currency, to);
    assert.deepEqual(
      payin.checkAccount(world().currency, { address: receiver }),
      account,
      'the receiver equals the given account',
    );
    assert.ok(at instanceof Date, 'the send has a time');
    assert.equal(nonces?.first, sent.nonce);
    if (!world().expire) assert.equal(await payout.ruledOutBy?.(late), sent.reference);
    world().note(sent, true);
  });
}

/** Requirements of the test of a provider's list. */
export interface ListingWorld {
  readonly rail: Rail;
  readonly currency: string;
  readonly parts: bigint;
  fail(on: boolean): void;
  readonly payout?: { receiver(): Promise<Fields> };
}

/** Part of the contract of providers about transfers from our account. */
export function showsWhatLeft<W extends ListingWorld>(
  world: () => W,
  prepareIn: (world: W, to: Fields) => Promise<Attempt>,
): void {
  const prepare = (to: Fields): Promise<Attempt> => prepareIn(world(), to);
  it('shows transfers from our account since the last call, with our reference', async (t) => {
    const side = world().payout;
    const { payout } = world().rail;
    const ownSends = payout?.ownSends;
    if (!side || !ownSends) return t.diagnostic('lists no transfers');
    const state = { spent: [], unconfirmed: [], indexes: [], changeIndex: 0 };
    const before = await ownSends({ state, isFirst: true });
    assert.deepEqual(before.sends, [], 'the list begins here');
    const attempt = await prepare(await side.receiver());
    const sent = await payout.send(attempt);
    assert.ok(sent.outcome === 'accepted' && before.readTo !== undefined);
    const { sends, readTo = '' } = await ownSends({ state, isFirst: false, readTo: before.readTo });
    const [send] = sends.filter(({ ours }) => ours === attempt.reference || ours === sent.txid);
    assert.ok(send, 'the transfer has our reference, or the id that the provider returned');
    const [{ currency, parts } = {}] = send.pays;
    if (currency !== undefined) assert.deepEqual([currency, parts], [world().currency, world().parts]);
    world().fail(true);
    await assert.rejects(ownSends({ state, isFirst: false, readTo }), 'a failed call is not an empty list');
    world().fail(false);
  });
}

async function prepared(answer: Promise<Prepared> | undefined): Promise<Attempt> {
  const result = await answer;
  assert.ok(result?.ok, result?.ok === false ? `${result.reason}: ${result.detail}` : '');
  return result.attempt;
}
