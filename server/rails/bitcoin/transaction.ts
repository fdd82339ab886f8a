import { SigHash, Transaction } from '@scure/btc-signer';
import { type Coin, outpointOf } from './coins.ts';
import type { Account, Place } from './keys.ts';

/** Ours are of one form: version 2, no lock time, final inputs (nothing signals replacement), every input P2WPKH. */
export const VERSION = 2;
export const SEQUENCE = 0xffffffff;
export const OPTIONS = { version: VERSION, lockTime: 0, lowR: true, strictPrevoutValidation: true } as const;

export interface Payment {
  readonly script: Uint8Array;
  readonly parts: bigint;
}

interface Unsigned {
  /** BIP 174, in base 64, with every input's whole previous transaction. */
  readonly psbt: string;
  readonly txid: string;
}

/**
 * Builds a transaction of these coins and outputs, with change where there is any. Inputs and outputs are sorted
 * (BIP 69), so that neither their order nor the address of the change tells anything.
 */
export function build(
  account: Account,
  coins: readonly (Coin & { readonly raw: string })[],
  payments: readonly Payment[],
  change?: { readonly place: Place; readonly parts: bigint },
): Unsigned {
  const tx = new Transaction(OPTIONS);
  for (const coin of coins.toSorted((a, b) => (outpointOf(a) < outpointOf(b) ? -1 : 1))) {
    tx.addInput({
      txid: coin.txid,
      index: coin.vout,
      sequence: SEQUENCE,
      nonWitnessUtxo: Buffer.from(coin.raw, 'hex'),
      witnessUtxo: { script: coin.place.script, amount: coin.parts },
      bip32Derivation: [account.derivation(coin.place)],
      sighashType: SigHash.ALL,
    });
  }
  const outputs = payments.map(({ script, parts }) => ({ script, amount: parts }));
  const own = change && {
    script: change.place.script,
    amount: change.parts,
    bip32Derivation: [account.derivation(change.place)],
  };
  for (const output of [...outputs, ...(own ? [own] : [])].toSorted(byAmountThenScript)) tx.addOutput(output);
  return { psbt: Buffer.from(tx.toPSBT()).toString('base64'), txid: idOf(tx.unsignedTx) };
}

/** The id of a raw transaction (its witness does not count). */
export function idOf(raw: Uint8Array): string {
  return Transaction.fromRaw(raw, { allowUnknownInputs: true, allowUnknownOutputs: true, disableScriptCheck: true }).id;
}

interface Sized {
  readonly amount: bigint;
  readonly script: Uint8Array;
}

function byAmountThenScript(a: Sized, b: Sized): number {
  if (a.amount !== b.amount) return a.amount < b.amount ? -1 : 1;
  return Buffer.compare(Buffer.from(a.script), Buffer.from(b.script));
}
