import { existsSync, readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import type { Address } from 'viem';
import { type HDAccount, HDKey, hdKeyToAccount } from 'viem/accounts';
import { replaceFile } from '../server/platform/files/append-file.ts';

interface StoredKeys {
  readonly seed: string;
  next: number;
}

/** Keys of the sandbox customer: one account that owns the bank, and a fresh one for every action, used once. */
export class CustomerKeys {
  readonly bank: HDAccount;
  readonly #file: string | undefined;
  readonly #stored: StoredKeys;
  readonly #root: HDKey;
  readonly #used = new Map<string, HDAccount>();

  /** Reads the keys of a file, or creates keys and the file. Without a file they live as long as the process. */
  constructor(file?: string) {
    this.#file = file;
    this.#stored =
      file !== undefined && existsSync(file)
        ? (JSON.parse(readFileSync(file, 'utf8')) as StoredKeys)
        : { seed: randomBytes(32).toString('hex'), next: 0 };
    this.#root = HDKey.fromMasterSeed(Buffer.from(this.#stored.seed, 'hex'));
    this.bank = hdKeyToAccount(this.#root, { accountIndex: 0, addressIndex: 0 });
    this.#save();
  }

  /** Returns an unused account. */
  fresh(): HDAccount {
    const account = hdKeyToAccount(this.#root, { accountIndex: 1, addressIndex: this.#stored.next });
    this.#stored.next += 1;
    this.#save();
    this.#used.set(account.address, account);
    return account;
  }

  /** Returns an account that `fresh` made in this process. Throws for any other address. */
  accountOf(address: Address): HDAccount {
    const account = this.#used.get(address);
    if (!account) throw new Error(`${address} is no account of the customer's`);
    return account;
  }

  #save(): void {
    if (this.#file !== undefined) replaceFile(this.#file, JSON.stringify(this.#stored));
  }
}
