import { SigHash, Transaction } from '@scure/btc-signer';
import { type Coin, outpointOf } from './coins.ts';
import type { Account, Place } from './keys.ts';

/** Our transactions have one form: version 2, no lock time, final inputs (nothing signals replacement), every input P2WPKH. */
export const VERSION = 2;
export const SEQUENCE = 0xffffffff;
export const OPTIONS = { version: VERSION, lockTime: 0, lowR: true, strictPrevoutValidation: true } as const;

export interface Payment {
  readonly script: Uint8Array;
  readonly parts: bigint;
}

interface Unsigned {
  /** PSBT (BIP 174) in base64, with the whole previous transaction of every input. */
  readonly psbt: string;
  readonly txid: string;
}

/**
 * Builds an unsigned transaction of these coins and payments, with change if there is any. Inputs and outputs are sorted
 * (BIP 69), so that neither their order nor the position of the change reveals anything.
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

/** Returns the id of a raw transaction. The id doesn't depend on the witness. */
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
