import type { HDAccount } from 'viem/accounts';
import type { CustomerKeys } from '../customer-keys.ts';
import type { TronChain } from './chain.ts';
import { FAKE, FORWARDER, USDT, black } from './state.ts';
import { type Raw, writeRaw, writeTransaction, sha256, textHex } from './wire.ts';

const TRX = 1_000_000n;
/** Coin of a fresh account for energy and bandwidth. */
const FUEL = 50n * TRX;
const FEE_LIMIT = 100n * TRX;
const LIFE_MS = 60_000;

type Act = Pick<Raw, 'kind' | 'to'> & Partial<Pick<Raw, 'amount' | 'data' | 'asset' | 'feeLimit'>>;

/** Returns the 21 bytes of an account's address in hexadecimal. */
export const hexOf = ({ address }: Pick<HDAccount, 'address'>): string => `41${address.slice(2).toLowerCase()}`;

/** Sandbox customer, who can pay anything: with a bank that has all money, and a fresh account for every payment. */
export class Customer {
  readonly #chain: TronChain;
  readonly #keys: CustomerKeys;
  #last = 0;

  constructor(chain: TronChain, keys: CustomerKeys) {
    this.#chain = chain;
    this.#keys = keys;
  }

  /** Returns the address of a fresh account, which the chain doesn't know yet. */
  address(): string {
    return hexOf(this.#keys.fresh());
  }

  /** Gives money from the bank, in a block that is mined immediately. */
  async give(to: string, act: 'coin' | 'tokens', parts: bigint): Promise<void> {
    await this.#send(this.#keys.bank, act === 'coin' ? coin(to, parts) : token(USDT, to, parts));
    this.#chain.mine(1);
  }

  /** Pays from a fresh account. A block that is mined immediately gives it what it needs; the payment itself waits. */
  async pay(to: string, act: 'coin' | 'tokens' | 'fake' | 'asset', parts: bigint): Promise<{ txid: string; from: string }> {
    const account = this.#keys.fresh();
    const from = hexOf(account);
    await this.#send(this.#keys.bank, coin(from, act === 'coin' ? parts + FUEL : FUEL));
    this.#chain.mine(1);
    if (act === 'tokens') await this.give(from, 'tokens', parts);
    const what =
      act === 'coin'
        ? coin(to, parts)
        : act === 'asset'
          ? { kind: 'TransferAssetContract' as const, to, amount: parts, asset: textHex('1002000') }
          : token(act === 'fake' ? FAKE : USDT, to, parts);
    return { txid: await this.#send(account, what), from };
  }

  /** Pays TRX as contract wallets do: a contract forwards it, and no transaction names the receiver. */
  async payThrough(to: string, parts: bigint): Promise<string> {
    const account = this.#keys.fresh();
    await this.#send(this.#keys.bank, coin(hexOf(account), parts + FUEL));
    this.#chain.mine(1);
    const data = to.slice(2).padStart(64, '0');
    return this.#send(account, { kind: 'TriggerSmartContract', to: FORWARDER, amount: parts, data, feeLimit: FEE_LIMIT });
  }

  /** Calls the token from a fresh account without tokens or with too little energy. The call is mined without effect. */
  async fail(to: string, parts: bigint, how: 'REVERT' | 'OUT_OF_ENERGY'): Promise<string> {
    const account = this.#keys.fresh();
    await this.#send(this.#keys.bank, coin(hexOf(account), FUEL));
    this.#chain.mine(1);
    if (how === 'OUT_OF_ENERGY') await this.give(hexOf(account), 'tokens', parts);
    return this.#send(account, { ...token(USDT, to, parts), ...(how === 'OUT_OF_ENERGY' && { feeLimit: TRX }) });
  }

  /** Blocks or unblocks all transfers from or to an account, as the token's owner. */
  block(account: string, blocked: boolean): void {
    this.#chain.change([[black(account), blocked ? 1n : 0n]]);
    this.#chain.mine(1);
  }

  async #send(account: HDAccount, act: Act): Promise<string> {
    const block = this.#chain.block(this.#chain.solid);
    if (!block) throw new Error('A chain without blocks');
    // No two transactions of this customer have the same bytes.
    this.#last = Math.max(this.#last + 1, this.#chain.time);
    const raw = writeRaw({
      amount: 0n,
      data: '',
      asset: '',
      feeLimit: 0n,
      ...act,
      owner: hexOf(account),
      refBytes: block.id.slice(12, 16),
      refHash: block.id.slice(16, 32),
      expiration: this.#chain.time + LIFE_MS,
      timestamp: this.#last,
    });
    const signature = await account.sign({ hash: `0x${sha256(raw)}` });
    const { id, no } = await this.#chain.submit(writeTransaction(raw, [signature.slice(2)]));
    if (no) throw new Error(`${no.code}: ${no.message}`);
    return id;
  }
}

function coin(to: string, amount: bigint): Act {
  return { kind: 'TransferContract', to, amount };
}

function token(contract: string, to: string, parts: bigint): Act {
  const data = `a9059cbb${to.slice(2).padStart(64, '0')}${parts.toString(16).padStart(64, '0')}`;
  return { kind: 'TriggerSmartContract', to: contract, data, feeLimit: FEE_LIMIT };
}
