import { pbkdf2Sync } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { type BAddress, type Block, Coin, HD, type HDKey, KeyRing, MTX, Script, type TX } from './bcoin.ts';
import { replaceFile } from '../../server/platform/files/append-file.ts';
import { Refused } from '../counterpart.ts';
import type { Regtest } from './regtest.ts';

/** Virtual sizes with outputs of the longest kind (34-byte scripts). */
const PAYMENT_VSIZE = 122;
const FUNDING_VSIZE = (inputs: number): number => 11 + 68 * inputs + 43 * 2;
const COINBASE_MATURITY = 100;
/** Depth that no requested reorg reaches. */
const SETTLED_DEPTH = 64;
/** Index of the account that receives the rewards. Every other index is used once. */
const TREASURY = 0;

interface PaymentOptions {
  /** Fee rate in satoshi per virtual byte. */
  readonly feeRate: number;
  readonly isReplaceable: boolean;
}

interface Keys {
  readonly phrase: string;
  next: number;
}

/**
 * Wallet of the sandbox customer: its keys, all rewards of the chain, and a fresh account for every payment. A payment is two
 * transactions: from the treasury to the fresh account, and from there to the payee without change.
 */
export class CustomerWallet {
  readonly treasury: BAddress;
  readonly #file: string | undefined;
  readonly #keys: Keys;
  readonly #account: HDKey;
  readonly #treasuryScript: string;
  /** Unspent outputs of the treasury in the best chain: `hash:index` → coin. */
  readonly coins = new Map<string, Coin>();
  /** Spent outputs of the treasury, which a reorg may restore. */
  readonly #spent = new Map<string, Coin>();
  /** Coin of each payment made in this process, to replace or double-spend it. */
  readonly #payments = new Map<
    string,
    { readonly coin: Coin; readonly ring: KeyRing; readonly to: BAddress; readonly value: number }
  >();
  #turn: Promise<unknown> = Promise.resolve();

  /** Reads the keys of a file, or creates keys and the file. Without a file they live as long as the process. */
  constructor(file?: string) {
    this.#file = file;
    this.#keys =
      file !== undefined && existsSync(file)
        ? (JSON.parse(readFileSync(file, 'utf8')) as Keys)
        : { phrase: new HD.Mnemonic({ bits: 128 }).getPhrase(), next: TREASURY + 1 };
    this.#account = HD.fromSeed(seedOf(this.#keys.phrase)).derive(84, true).derive(1, true).derive(0, true).derive(0);
    this.treasury = this.#ring(TREASURY).getAddress();
    this.#treasuryScript = Script.fromAddress(this.treasury).toRaw().toString('hex');
    this.#save();
  }

  /** Updates the treasury's coins for a block; the chain calls it as `onBlock`. */
  follow(block: Block, connected: boolean, height: number): void {
    const spent = block.txs.slice(1).flatMap((tx) => tx.inputs.map(({ prevout }) => `${prevout.hash}:${prevout.index}`));
    if (!connected) for (const key of spent) move(key, this.#spent, this.coins);
    for (const tx of block.txs) {
      for (const [index, { script }] of tx.outputs.entries()) {
        if (script.toRaw().toString('hex') !== this.#treasuryScript) continue;
        const key = `${tx.hash('hex')}:${index}`;
        if (connected) this.coins.set(key, Coin.fromTX(tx, index, height));
        else this.coins.delete(key);
      }
    }
    if (connected) for (const key of spent) move(key, this.coins, this.#spent);
  }

  /** Returns a fresh address to receive at. */
  fresh(): BAddress {
    return this.#ring(this.#nextIndex()).getAddress();
  }

  /** Pays `value` satoshi from a fresh account. Returns the payment's id and that account. */
  pay(regtest: Regtest, to: BAddress, value: number, options: PaymentOptions): Promise<{ txid: string; from: string }> {
    return this.#inTurn(async () => {
      const ring = this.#ring(this.#nextIndex());
      const fee = Math.ceil(PAYMENT_VSIZE * options.feeRate);
      const funding = await this.#fund(regtest, [{ to: ring.getAddress(), value: value + fee }], options.feeRate);
      const coin = Coin.fromTX(funding, 0, -1);
      const tx = spend([coin], [{ to, value }], [ring], options.isReplaceable);
      await send(regtest, tx);
      this.#payments.set(tx.txid(), { coin, ring, to, value });
      return { txid: tx.txid(), from: ring.getAddress().toString() };
    });
  }

  /** Pays several outputs from the treasury in one transaction. */
  payMany(regtest: Regtest, outputs: readonly { to: BAddress; value: number }[], feeRate: number): Promise<TX> {
    return this.#inTurn(() => this.#fund(regtest, outputs, feeRate));
  }

  /** Replaces a waiting, replaceable payment of this wallet by one with a higher fee, which is deducted from its amount. */
  async replace(regtest: Regtest, txid: string, feeRate: number): Promise<string> {
    const { coin, ring, to } = this.#payment(txid);
    const tx = spend([coin], [{ to, value: coin.value - Math.ceil(PAYMENT_VSIZE * feeRate) }], [ring], true);
    await send(regtest, tx);
    this.#payments.set(tx.txid(), { ...this.#payment(txid), value: coin.value - Math.ceil(PAYMENT_VSIZE * feeRate) });
    return tx.txid();
  }

  /** Returns a transaction that spends the coin of a payment back to this wallet. Mining it undoes the payment. */
  doubleSpend(txid: string): TX {
    const { coin, ring } = this.#payment(txid);
    return spend([coin], [{ to: this.fresh(), value: coin.value - 5000 }], [ring], false);
  }

  async #fund(regtest: Regtest, outputs: readonly { to: BAddress; value: number }[], feeRate: number): Promise<TX> {
    const target = outputs.reduce((sum, { value }) => sum + value, 0);
    const feeFor = (inputs: number): number => Math.ceil((FUNDING_VSIZE(inputs) + 43 * (outputs.length - 1)) * feeRate);
    const chosen: Coin[] = [];
    let sum = 0;
    for (const coin of this.#spendable(regtest)) {
      if (chosen.length > 0 && sum >= target + feeFor(chosen.length) + 1000) break;
      chosen.push(coin);
      sum += coin.value;
    }
    const change = sum - target - feeFor(chosen.length);
    if (change < 1000) throw new Refused('amount', 'More than the sandbox customer has');
    const tx = spend(chosen, [...outputs, { to: this.treasury, value: change }], [this.#ring(TREASURY)], false);
    await send(regtest, tx);
    return tx;
  }

  /**
   * Yields mature coins that no waiting transaction spends, the largest first, and after them coins that a reorg could remove;
   * then the wallet's waiting change. So a reorg that drops one payment leaves others alone.
   */
  *#spendable(regtest: Regtest): Generator<Coin> {
    const height = regtest.height + 1;
    const free = [...this.coins.values()].filter(
      (coin) => (!coin.coinbase || height - coin.height >= COINBASE_MATURITY) && !regtest.mempool.isSpent(coin.hash, coin.index),
    );
    const largestFirst = free.toSorted((a, b) => b.value - a.value);
    yield* largestFirst.filter((coin) => height - coin.height > SETTLED_DEPTH);
    yield* largestFirst.filter((coin) => height - coin.height <= SETTLED_DEPTH);
    for (const { tx } of regtest.mempool.map.values()) {
      for (const [index, { script }] of tx.outputs.entries()) {
        if (script.toRaw().toString('hex') !== this.#treasuryScript || regtest.mempool.isSpent(tx.hash('hex'), index)) continue;
        yield Coin.fromTX(tx, index, -1);
      }
    }
  }

  #payment(txid: string): { coin: Coin; ring: KeyRing; to: BAddress; value: number } {
    const found = this.#payments.get(txid);
    if (!found) throw new RangeError(`${txid} is no payment of this process`);
    return found;
  }

  #nextIndex(): number {
    const index = this.#keys.next;
    this.#keys.next += 1;
    this.#save();
    return index;
  }

  #ring(index: number): KeyRing {
    const ring = KeyRing.fromPrivate(this.#account.derive(index).privateKey);
    ring.witness = true;
    return ring;
  }

  #save(): void {
    if (this.#file !== undefined) replaceFile(this.#file, JSON.stringify(this.#keys));
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}

/** Returns the seed of a phrase (BIP-39) by Node's crypto: bcoin's own code takes forty times as long. */
const seedOf = (phrase: string): Buffer => pbkdf2Sync(phrase, 'mnemonic', 2048, 64, 'sha512');

function spend(
  coins: readonly Coin[],
  outputs: readonly { to: BAddress; value: number }[],
  rings: readonly KeyRing[],
  replaceable: boolean,
): TX {
  const mtx = new MTX();
  for (const coin of coins) mtx.addCoin(coin);
  for (const input of mtx.inputs) input.sequence = replaceable ? 0xfffffffd : 0xffffffff;
  for (const { to, value } of outputs) mtx.addOutput(to, value);
  mtx.sign(rings);
  return mtx.toTX();
}

function move(key: string, from: Map<string, Coin>, to: Map<string, Coin>): void {
  const coin = from.get(key);
  if (!coin) return;
  from.delete(key);
  to.set(key, coin);
}

async function send(regtest: Regtest, tx: TX): Promise<void> {
  const sent = await regtest.submit(tx.toRaw());
  if (!sent.ok) throw new Refused('amount', `The chain refused the payment: ${sent.message}`);
}
