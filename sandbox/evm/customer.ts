import type { Abi, Address, Hex } from 'viem';
import { encodeDeployData, encodeFunctionData, getContractAddress } from 'viem/utils';
import type { HDAccount } from 'viem/accounts';
import { type EvmChain, hex } from './chain.ts';
import contracts from './contracts/contracts.json' with { type: 'json' };
import type { CustomerKeys } from '../customer-keys.ts';

const GWEI = 10n ** 9n;
/** Balance of the bank from the genesis block on: a billion ETH. */
const TREASURE = 10n ** 27n;
/** Coin for gas of a fresh account: 0.05 ETH. */
const GAS_MONEY = 5n * 10n ** 16n;
/** Gas limits above what any call here uses. With a fixed limit a reverting call is sent and mined too. */
const GAS = { coin: 21_000n, token: 150_000n, deploy: 3_000_000n };

/** Deployed contracts: the token that behaves as on mainnet, and a look-alike. */
export interface Contracts {
  readonly usdt: Address;
  readonly fake: Address;
}

/** Tip in gwei that is higher than all others here: blocks are filled by tip. */
const FIRST_TIPS = 50n;

interface Call {
  readonly to?: Address;
  readonly data?: Hex;
  readonly value?: bigint;
  readonly gas: bigint;
}

/**
 * Sandbox customer, who can pay anything: with keys, the coins of the genesis block (the bank), the right to mint tokens, and a
 * fresh account for every payment.
 */
export class Customer {
  readonly #chain: EvmChain;
  readonly #keys: CustomerKeys;
  readonly #bank: HDAccount;
  contracts: Contracts = { usdt: '0x', fake: '0x' };

  private constructor(chain: EvmChain, keys: CustomerKeys) {
    this.#chain = chain;
    this.#keys = keys;
    this.#bank = keys.bank;
  }

  /**
   * Returns the customer of a chain whose genesis has these keys. Deploys the contracts if they are missing; `decimals` is the
   * token's.
   */
  static async open(chain: EvmChain, keys: CustomerKeys, decimals: number): Promise<Customer> {
    const customer = new Customer(chain, keys);
    customer.contracts = await customer.#deploy(decimals);
    return customer;
  }

  /** Returns the address of a fresh account, to receive at. */
  address(): Address {
    return this.#keys.fresh().address;
  }

  /** Pays tokens from a fresh account. A block that is mined immediately gives it the tokens and its gas. */
  async payTokens(to: Address, value: bigint): Promise<{ txid: string; from: Address }> {
    const account = await this.#endow(value);
    return { txid: await this.#send(account, this.#tokenCall('transfer', [to, value])), from: account.address };
  }

  /** Pays coin from a fresh account. */
  async payCoin(to: Address, value: bigint): Promise<{ txid: string; from: Address }> {
    const account = await this.#endow(0n, value);
    return { txid: await this.#send(account, { to, value, gas: GAS.coin }), from: account.address };
  }

  /** Pays coin as contract wallets do: a contract forwards it, and no transaction names the receiver. */
  async payThrough(to: Address, value: bigint): Promise<string> {
    const account = await this.#endow(0n, value);
    // CALL(gas, to, callvalue, no data), then STOP: the contract's creation pays, and leaves no code.
    const data: Hex = `0x60006000600060003473${to.slice(2)}5af100`;
    return this.#send(account, { data, value, gas: GAS.deploy });
  }

  /** Gives an account tokens or coin, mined immediately. */
  async give(to: Address, currency: 'tokens' | 'coin', value: bigint): Promise<void> {
    await this.#chain.mine(1, () =>
      this.#send(this.#bank, currency === 'tokens' ? this.#tokenCall('mint', [to, value]) : { to, value, gas: GAS.coin }),
    );
  }

  /** Sends more tokens than a fresh account has. The transaction is mined as reverted, without an event. */
  async payReverting(to: Address, value: bigint): Promise<string> {
    return this.#send(await this.#endow(0n), this.#tokenCall('transfer', [to, value]));
  }

  /** Sends the look-alike token. */
  async payFake(to: Address, value: bigint): Promise<string> {
    const data = encodeFunctionData({ abi: contracts.FakeTether.abi as Abi, functionName: 'transfer', args: [to, value] });
    return this.#send(await this.#endow(0n), { to: this.contracts.fake, data, gas: GAS.token });
  }

  /** Makes a zero transfer in another account's name, as address poisoners do; it needs no allowance. */
  async poison(from: Address, to: Address): Promise<string> {
    return this.#send(await this.#endow(0n), this.#tokenCall('transferFrom', [from, to, 0n]));
  }

  /** Prevents a fresh account's payment from being mined by a transaction with the same nonce and a higher fee. */
  async replace(from: Address): Promise<string> {
    const account = this.#keys.accountOf(from);
    return this.#send(account, { to: from, value: 0n, gas: GAS.coin }, 10n, 'latest');
  }

  /**
   * Acts as the token's owner: blocks an account, pauses transfers or sets the fee. It is mined immediately, before all waiting
   * transactions. A second block without tips follows: the node suggests the last block's tip to everyone, and costs would follow
   * it.
   */
  async govern(act: 'setBlackListed' | 'setPaused' | 'setFee', args: readonly unknown[]): Promise<void> {
    await this.#chain.mine(2, () => this.#send(this.#bank, this.#tokenCall(act, args), FIRST_TIPS));
  }

  async #deploy(decimals: number): Promise<Contracts> {
    const bank = this.#bank.address;
    const known = [getContractAddress({ from: bank, nonce: 0n }), getContractAddress({ from: bank, nonce: 1n })] as const;
    if ((await this.#chain.call<string>('eth_getCode', known[0], 'latest')) === '0x') {
      await this.#chain.call('anvil_setBalance', bank, hex(TREASURE));
      await this.#chain.mine(1, async () => {
        const made = [
          { ...contracts.TestTether, args: [decimals] },
          { ...contracts.FakeTether, args: [] },
        ];
        for (const { abi, bytecode, args } of made) {
          await this.#send(this.#bank, {
            data: encodeDeployData({ abi: abi as Abi, bytecode: bytecode as Hex, args }),
            gas: GAS.deploy,
          });
        }
      });
      await this.#chain.save();
    }
    return { usdt: known[0], fake: known[1] };
  }

  /** Returns a fresh account with tokens, coin and gas, all mined. */
  async #endow(tokens: bigint, coin = 0n): Promise<HDAccount> {
    const account = this.#keys.fresh();
    await this.#chain.mine(1, async () => {
      if (tokens > 0n) await this.#send(this.#bank, this.#tokenCall('mint', [account.address, tokens]));
      await this.#send(this.#bank, { to: account.address, value: coin + GAS_MONEY, gas: GAS.coin });
    });
    return account;
  }

  #tokenCall(functionName: string, args: readonly unknown[]): Call {
    const data = encodeFunctionData({ abi: contracts.TestTether.abi as Abi, functionName, args });
    return { to: this.contracts.usdt, data, gas: GAS.token };
  }

  async #send(account: HDAccount, call: Call, tips = 1n, at: 'latest' | 'pending' = 'pending'): Promise<string> {
    const nonce = Number.parseInt(await this.#chain.call<string>('eth_getTransactionCount', account.address, at), 16);
    const fees = { maxFeePerGas: 4n * tips * GWEI, maxPriorityFeePerGas: tips * GWEI };
    return this.#chain.submit(
      await account.signTransaction({ chainId: this.#chain.chainId, type: 'eip1559', nonce, ...fees, ...call }),
    );
  }
}
