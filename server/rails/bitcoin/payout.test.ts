import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { OutScript, Transaction } from '@scure/btc-signer';
import type { Attempt, PayoutItem, Prepared, WalletState } from '../rail.ts';
import { addressFor } from './address.ts';
import { bitcoin } from './config.ts';
import { feeFor } from './fees.ts';
import { type BitcoinWorld, bitcoinWorld } from './world.testing.ts';

/** The sandbox's estimate for 3 blocks, in msat/vB. */
const RATE = 8500n;

describe('bitcoin payouts', () => {
  let world: BitcoinWorld;
  before(async () => {
    world = await bitcoinWorld('1');
  });
  after(() => world?.close());

  const item = (address: string, parts: bigint, id = 'p'): PayoutItem => ({ id, currency: 'BTC', to: { address }, parts });
  const prepare = (items: readonly PayoutItem[], state: WalletState = world.state()): Promise<Prepared> =>
    world.rail.payout.prepare(items, state);
  const made = async (prepared: Promise<Prepared>): Promise<Attempt> => {
    const result = await prepared;
    assert.ok(result.ok, result.ok ? '' : `${result.reason}: ${result.detail}`);
    world.note(result.attempt);
    return result.attempt;
  };
  const receiver = async (): Promise<string> => (await world.receiver())['address'] ?? '';
  const faults = (rates: object): Promise<unknown> => world.sandbox.control('/faults', { rail: 'bitcoin', ...rates });
  const parsed = (attempt: Attempt): Transaction =>
    Transaction.fromRaw(Buffer.from(attempt.raw, 'hex'), { allowUnknownOutputs: true });
  const settle = async (attempt: Attempt): Promise<void> => {
    assert.equal((await world.rail.payout.send(attempt)).outcome, 'accepted');
    await world.blocks(6);
    world.note(attempt, true);
  };

  it('pays every kind of address in one transaction, at exactly the rate, in an order that reveals nothing', async () => {
    const network = bitcoin({ esplora: '', network: 'regtest' }).network;
    const key = Buffer.from('79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798', 'hex');
    const hash = (length: number): Buffer => Buffer.alloc(length, 0xab);
    const scripts = [
      OutScript.encode({ type: 'wpkh', hash: hash(20) }),
      OutScript.encode({ type: 'wsh', hash: hash(32) }),
      OutScript.encode({ type: 'tr', pubkey: key }),
      OutScript.encode({ type: 'pkh', hash: hash(20) }),
      OutScript.encode({ type: 'sh', hash: hash(20) }),
    ];
    const addresses = scripts.map((script) => addressFor(network, script) ?? '');
    const items = addresses.map((address, index) => item(address, 100_000n - BigInt(index), `kind-${index}`));
    const attempt = await made(prepare(items));
    const tx = parsed(attempt);
    const amounts = Array.from({ length: tx.outputsLength }, (_, index) => tx.getOutput(index).amount ?? 0n);
    assert.deepEqual(
      amounts,
      amounts.toSorted((a, b) => (a < b ? -1 : 1)),
      'by amount (BIP 69)',
    );
    assert.equal(tx.outputsLength, 6);
    const paid = attempt.fee.parts;
    // A signature may be a byte shorter than expected.
    const exact = feeFor(BigInt(tx.weight), RATE);
    assert.ok(paid >= exact && paid <= exact + 9n, `${paid} for ${tx.vsize} vB`);
    assert.ok(
      Array.from({ length: tx.inputsLength }, (_, index) => tx.getInput(index).sequence).every(
        (sequence) => sequence === 0xffffffff,
      ),
    );
    await settle(attempt);
    for (const { to, parts } of items) assert.equal(await world.received(to), parts);
  });

  it('requests a signature for exactly its items, and returns the signer’s refusal', async () => {
    const to = await receiver();
    const attempt = await made(prepare([item(to, 70_000n, 'one'), item(to, 80_000n, 'two')]));
    assert.deepEqual(
      { ...world.requests.at(-1), unsigned: '' },
      { rail: 'bitcoin', unsigned: '', payouts: ['one', 'two'], purpose: 'payout' },
    );
    await settle(attempt);
    assert.equal(await world.received({ address: to }), 150_000n);
    world.refuse = 'output_not_approved';
    const refused = await prepare([item(to, 70_000n)]);
    world.refuse = 'unavailable: no socket';
    const away = await prepare([item(to, 70_000n)]);
    world.refuse = undefined;
    assert.deepEqual([refused.ok || refused.reason, away.ok || away.reason], ['signer_refused', 'unavailable']);
  });

  it('refuses a signature of another transaction than requested', async () => {
    const to = await receiver();
    const other = await prepare([item(to, 71_000n)]);
    assert.ok(other.ok);
    const { raw, reference } = other.attempt;
    const requests: string[] = [];
    for (const answer of [
      { raw, txid: reference },
      // The right id with the wrong bytes.
      { raw, txid: '' },
    ]) {
      const rail = world.railWith({
        sign: async ({ unsigned }) => {
          requests.push(unsigned);
          const tx = Transaction.fromPSBT(Buffer.from(unsigned, 'base64'));
          const name = Transaction.fromRaw(tx.unsignedTx, { allowUnknownInputs: true }).id;
          return { ok: true, raw: answer.raw, txid: answer.txid || name };
        },
      });
      const result = await rail.payout.prepare([item(to, 72_000n)], world.state());
      assert.ok(!result.ok && result.reason === 'signer_refused');
    }
    assert.equal(requests.length, 2);
  });

  it('spends no coin that is taken, and no unconfirmed coin of somebody else', async () => {
    const rest = world.state();
    const [balance] = await world.rail.reserve(rest);
    // A deposit that waits in the mempool is neither payable nor reserve.
    const index = world.nextIndex();
    await world.payment(world.rail.payin.instruct('BTC', index).to, 90_000_000n);
    assert.deepEqual(await world.rail.reserve(world.state()), [balance]);
    const to = await receiver();
    const tooMuch = await prepare([item(to, balance!.parts)]);
    assert.ok(!tooMuch.ok && tooMuch.reason === 'no_float');
    await world.blocks(1);
    const [grown] = await world.rail.reserve(world.state());
    assert.equal(grown!.parts, balance!.parts + 90_000_000n);

    const first = await prepare([item(to, 60_000n)]);
    assert.ok(first.ok);
    const taken = { ...world.state(), spent: first.attempt.spends };
    const second = await prepare([item(to, 60_000n)], taken);
    assert.ok(second.ok && !second.attempt.spends.some((spend) => first.attempt.spends.includes(spend)));
    const [held] = await world.rail.reserve(taken);
    assert.equal(held!.parts, grown!.parts);
    assert.ok(held!.payable < grown!.payable);
  });

  it('reads the addresses of the last call if it is given no state', async () => {
    const reported = await world.rail.reserve(world.state());
    assert.deepEqual(await world.rail.reserve(), reported);
  });

  it('calls a send unknown if its answer was lost, and finds it', async () => {
    const to = await receiver();
    const attempt = await made(prepare([item(to, 123_456n)]));
    await faults({ lost_replies: 1 });
    assert.equal((await world.rail.payout.send(attempt)).outcome, 'unknown');
    await faults({});
    assert.equal((await world.rail.payout.find(attempt)).outcome, 'pending');
    assert.equal((await world.rail.payout.send(attempt)).outcome, 'accepted');
    await settle(attempt);
    assert.equal(await world.received({ address: to }), 123_456n, 'paid once');
  });

  it('sends nothing while the server hangs or fails, and later sends the same bytes', async () => {
    const to = await receiver();
    const attempt = await made(prepare([item(to, 234_567n)]));
    for (const fault of ['hangs', 'errors']) {
      await faults({ [fault]: 1 });
      assert.equal((await world.rail.payout.send(attempt)).outcome, 'unknown');
      const answer = await prepare([item(to, 70_000n)]);
      assert.ok(!answer.ok && answer.reason === 'unavailable');
    }
    await faults({});
    assert.deepEqual(await world.rail.payout.find(attempt), { outcome: 'absent', isConclusive: false });
    await settle(attempt);
    assert.equal(await world.received({ address: to }), 234_567n);
  });

  it('bumps a waiting batch by a child that pays for both', async () => {
    const to = await receiver();
    const attempt = await made(prepare([item(to, 345_678n)]));
    await world.rail.payout.send(attempt);
    const enough = await world.rail.payout.bump!(attempt, world.state());
    assert.ok(!enough.ok && enough.reason === 'unavailable', 'at the same rate there is nothing to help');

    // As if the attempt had been made when 1 sat/vB was enough.
    const cheap = { ...attempt, fee: { currency: 'BTC', parts: attempt.fee.parts / 8n } };
    const bumped = await world.rail.payout.bump!(cheap, world.state());
    assert.ok(bumped.ok, bumped.ok ? '' : bumped.detail);
    const child = bumped.attempt;
    assert.deepEqual([child.items, child.spends.length], [[], 1]);
    assert.ok(child.spends[0]!.startsWith(attempt.reference));
    assert.equal(world.requests.at(-1)?.purpose, 'sweep');
    const size = BigInt(parsed(attempt).weight + parsed(child).weight);
    assert.ok(child.fee.parts + cheap.fee.parts >= feeFor(size, RATE), 'both together pay the rate');
    world.note(child);
    await settle(child);
    assert.equal((await world.rail.payout.find(attempt)).outcome, 'mined');
    world.note(attempt, true);
    assert.equal(await world.received({ address: to }), 345_678n);
    const spent = await world.rail.payout.bump!(attempt, { ...world.state(), spent: child.spends });
    assert.ok(!spent.ok && spent.reason === 'unavailable');
  });

  it('throws for a payout that can never be paid, since that is a bug', async () => {
    const to = await receiver();
    await assert.rejects(prepare([item(to, 293n)]), RangeError);
    await assert.rejects(prepare([item('bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 50_000n)]));
    await assert.rejects(prepare([{ ...item(to, 50_000n), currency: 'USDT_ERC20' }]), RangeError);
  });

  it('waits while the rate is above the maximum', async () => {
    const { bitcoinPayout } = await import('./payout.ts');
    const config = { ...bitcoin({ esplora: '', network: 'regtest' }), maxRate: 300_000n };
    const esplora = { feeEstimates: async () => new Map([[1, 300_001n]]) };
    const payout = bitcoinPayout({ config, esplora, account: { place: () => ({}) } } as never);
    const answer = await payout.prepare([item(await receiver(), 50_000n)], world.state());
    assert.ok(!answer.ok && answer.reason === 'fee_cap');
    assert.deepEqual(await payout.estimate('BTC'), { currency: 'BTC', parts: (300_001n * 153n + 999n) / 1000n });
  });
});
