import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mnemonicToSeedSync } from '@scure/bip39';
import { SigHash, Transaction } from '@scure/btc-signer';
import { type Reading, Unreadable } from '../signer.ts';
import { bitcoin } from './config.ts';
import { bitcoinPublicKeys, CHANGE, openAccount, type Place, RECEIVE } from './keys.ts';
import { bitcoinSigning } from './signing.ts';
import { build, idOf } from './transaction.ts';

const seed = mnemonicToSeedSync('abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about');
const config = bitcoin({ esplora: 'http://127.0.0.1:1', network: 'regtest' });
const account = openAccount(config.network, bitcoinPublicKeys(seed, 'regtest'));
const signing = bitcoinSigning(seed, config);
const customer = openAccount(
  config.network,
  bitcoinPublicKeys(mnemonicToSeedSync('zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong'), 'regtest'),
).place(RECEIVE, 0);

/** Returns a transaction that paid `parts` to a place, as some wallet would have made it. */
function funding(place: Place, parts: bigint, from = '33'.repeat(32)): { txid: string; raw: string } {
  const tx = new Transaction({ allowUnknownInputs: true, disableScriptCheck: true });
  tx.addOutput({ script: place.script, amount: parts });
  tx.addOutput({ script: customer.script, amount: 777n });
  tx.addInput({ txid: from, index: place.index, finalScriptSig: new Uint8Array(), finalScriptWitness: [new Uint8Array(71)] });
  return { txid: tx.id, raw: tx.hex };
}

const deposits = [account.place(RECEIVE, 4), account.place(CHANGE, 2)];
const coins = deposits.map((place) => ({ ...funding(place, 100_000n), vout: 0, parts: 100_000n, place, tier: 0 as const }));
const change = account.place(CHANGE, 7);
const unsigned = (): string =>
  build(account, coins, [{ script: customer.script, parts: 150_000n }], { place: change, parts: 48_000n }).psbt;
const ask = (psbt: string) => ({ rail: 'bitcoin', unsigned: psbt, payouts: ['a'], purpose: 'payout' as const });
const read = (psbt: string): Reading => signing.read(ask(psbt));

/** Returns the transaction as changed by somebody between us and the signer. */
function forged(change: (tx: Transaction) => void): string {
  const tx = Transaction.fromPSBT(Buffer.from(unsigned(), 'base64'), { allowUnknownOutputs: true });
  change(tx);
  return Buffer.from(tx.toPSBT()).toString('base64');
}

describe('the signer’s half of bitcoin', () => {
  it('reads the payouts, change, fee and spends of a transaction', () => {
    assert.deepEqual(read(unsigned()), {
      outputs: [
        { currency: 'BTC', to: change.address, parts: 48_000n, own: 'change' },
        { currency: 'BTC', to: customer.address, parts: 150_000n },
      ],
      spends: coins.map(({ txid }) => `${txid}:0`).toSorted(),
      fee: { currency: 'BTC', parts: 2000n },
    });
    assert.equal(signing.account('BTC', { address: customer.address.toUpperCase() }), customer.address);
    assert.equal(signing.account('BTC', { address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu' }), undefined);
    assert.equal(signing.account('USDT_ERC20', { address: customer.address }), undefined);
  });

  it('signs a transaction completely and always alike, without changing it', async () => {
    const psbt = unsigned();
    const { raw, txid } = await signing.sign(ask(psbt));
    assert.deepEqual(await signing.sign(ask(psbt)), { raw, txid });
    assert.equal(idOf(Buffer.from(raw, 'hex')), txid);
    const tx = Transaction.fromRaw(Buffer.from(raw, 'hex'));
    assert.equal(tx.inputsLength, 2);
    assert.ok(
      Array.from({ length: 2 }, (_, index) => tx.getInput(index)).every(
        ({ sequence, finalScriptWitness }) => sequence === 0xffffffff && finalScriptWitness?.length === 2,
      ),
    );
    assert.deepEqual(
      [0, 1].map((index) => tx.getOutput(index).amount),
      [48_000n, 150_000n],
    );
  });

  it('accepts as change only a script that its own change key makes, despite any claim', () => {
    const claim = (script: Uint8Array, place: Place): Reading =>
      read(forged((tx) => tx.updateOutput(0, { script, amount: 48_000n, bip32Derivation: [account.derivation(place)] })));
    const thief = customer.script;
    assert.deepEqual(claim(thief, change).outputs[0], { currency: 'BTC', to: customer.address, parts: 48_000n });
    // A receiving address of ours is no change: it belongs to an order or a wallet.
    const deposit = account.place(RECEIVE, 1);
    assert.equal(claim(deposit.script, deposit).outputs[0]?.own, undefined);
    assert.equal(claim(account.place(CHANGE, 8).script, change).outputs[0]?.own, undefined);
  });

  it('believes no amount that the previous transaction does not have', () => {
    assert.equal(read(rebuilt({})).fee.parts, 20_000n, 'the honest one is read');
    for (const psbt of [
      // The amount that is signed differs from the one that was paid.
      rebuilt({ parts: 90_000n }),
      // The previous transaction is not the one that is spent.
      rebuilt({ raw: funding(deposits[0]!, 100_001n).raw }),
      rebuilt({ raw: funding(deposits[0]!, 100_000n, '44'.repeat(32)).raw }),
      // There is no previous transaction.
      rebuilt({ raw: undefined }),
    ]) {
      assert.throws(() => read(psbt), Unreadable);
      assert.throws(() => signing.sign(ask(psbt)), Unreadable);
    }
  });

  it('refuses a transaction of another form than ours', () => {
    const odd: Record<string, string> = {
      'no transaction': 'AAAA',
      'not even base 64': 'ünreadable',
      'somebody else’s input': rebuilt({ place: customer }),
      'an input whose key is elsewhere': rebuilt({ derivation: account.place(RECEIVE, 5) }),
      'a signature that leaves outputs open': rebuilt({ sighash: SigHash.NONE }),
      'a replaceable input': rebuilt({ sequence: 0xfffffffd }),
      'no output': forgedOutputs([]),
      'more out than in': forgedOutputs([{ script: customer.script, amount: 200_001n }]),
      'a second change': forgedOutputs(
        [change, account.place(CHANGE, 8)].map((place) => ({
          script: place.script,
          amount: 1000n,
          bip32Derivation: [account.derivation(place)],
        })),
      ),
      'an output without an address': forgedOutputs([{ script: Buffer.from('6a0568656c6c6f', 'hex'), amount: 0n }]),
    };
    for (const [what, psbt] of Object.entries(odd)) assert.throws(() => read(psbt), Unreadable, what);
  });
});

interface Change {
  readonly parts?: bigint;
  readonly raw?: string | undefined;
  readonly place?: Place;
  readonly derivation?: Place;
  readonly sighash?: number;
  readonly sequence?: number;
}

/** Returns a transaction with an honest output, and an input with the given changes. */
function rebuilt(change: Change): string {
  const [coin] = coins as [(typeof coins)[number]];
  const place = change.place ?? coin.place;
  const previous = change.place ? funding(change.place, 100_000n) : coin;
  const raw = 'raw' in change ? change.raw : previous.raw;
  const tx = new Transaction();
  tx.addInput({
    txid: previous.txid,
    index: 0,
    sequence: change.sequence ?? 0xffffffff,
    witnessUtxo: { script: place.script, amount: change.parts ?? coin.parts },
    bip32Derivation: [account.derivation(change.derivation ?? coin.place)],
    sighashType: change.sighash ?? SigHash.ALL,
  });
  tx.addOutput({ script: customer.script, amount: 80_000n });
  if (raw === undefined) return Buffer.from(tx.toPSBT()).toString('base64');
  // The library would refuse contradictory values, but an attacker can write them into the bytes.
  return withPrevious(tx, raw);
}

/** Adds the whole previous transaction to the first input of a PSBT, unchecked (BIP 174, key 0x00 of an input). */
function withPrevious(tx: Transaction, raw: string): string {
  const psbt = Buffer.from(tx.toPSBT());
  const globalEnd = 5 + 2 + 1 + psbt[7]! + 1;
  const bytes = Buffer.from(raw, 'hex');
  const record = Buffer.concat([Buffer.from([0x01, 0x00, bytes.length]), bytes]);
  assert.ok(bytes.length < 0xfd && psbt[7]! < 0xfd);
  return Buffer.concat([psbt.subarray(0, globalEnd), record, psbt.subarray(globalEnd)]).toString('base64');
}

function forgedOutputs(outputs: readonly Parameters<Transaction['addOutput']>[0][]): string {
  const [coin] = coins as [(typeof coins)[number]];
  const tx = new Transaction({ allowUnknownOutputs: true });
  tx.addInput({
    txid: coin.txid,
    index: 0,
    nonWitnessUtxo: Buffer.from(coin.raw, 'hex'),
    witnessUtxo: { script: coin.place.script, amount: coin.parts },
    bip32Derivation: [account.derivation(coin.place)],
    sighashType: SigHash.ALL,
  });
  for (const output of outputs) tx.addOutput(output);
  return Buffer.from(tx.toPSBT()).toString('base64');
}
