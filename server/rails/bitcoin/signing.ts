import { HDKey } from '@scure/bip32';
import { SigHash, Transaction } from '@scure/btc-signer';
import type { Fields } from '../rail.ts';
import { type Reading, type ReadOutput, type SigningRail, Unreadable } from '../signer.ts';
import { addressFor, checkAddress } from './address.ts';
import { outpointOf } from './coins.ts';
import type { BitcoinConfig } from './config.ts';
import { accountPath, type Branch, CHANGE, placeOf, RECEIVE } from './keys.ts';
import { OPTIONS, SEQUENCE, VERSION } from './transaction.ts';

/**
 * Returns the signer's half of the rail, from the seed (64 bytes) and the configuration. It believes nothing that a transaction
 * claims about itself. Amounts come from the whole previous transactions, whose ids are checked. An input or output is our own
 * only if the key derived here makes exactly its script.
 */
export function bitcoinSigning(seed: Uint8Array, config: BitcoinConfig): SigningRail {
  const keys = openKeys(seed, config);
  return {
    id: config.id,
    maxFee: config.maxFee,
    read: ({ unsigned }) => reading(parse(unsigned), keys, config),
    account: (currency: string, fields: Fields) => {
      const checked = currency === 'BTC' ? checkAddress(config.network, fields) : undefined;
      return checked?.ok ? checked.key : undefined;
    },
    sign: ({ unsigned }) => {
      const tx = parse(unsigned);
      reading(tx, keys, config);
      for (let index = 0; index < tx.inputsLength; index += 1) tx.signIdx(keys.ofInput(tx, index), index, [SigHash.ALL]);
      tx.finalize();
      return { raw: tx.hex, txid: tx.id };
    },
  };
}

interface Keys {
  /** Returns the private key of an input. Throws `Unreadable` if the input is not ours. */
  ofInput(tx: Transaction, index: number): Uint8Array;
  /** True if an output is our change: the change key at its path makes its script. */
  isChange(output: { readonly script: Uint8Array; readonly path: readonly number[] | undefined }): boolean;
}

function openKeys(seed: Uint8Array, { network }: BitcoinConfig): Keys {
  const origin = accountPath(network);
  const account = HDKey.fromMasterSeed(seed).derive(`m/84'/${network.coinType}'/0'`);
  const branches = [account.deriveChild(RECEIVE), account.deriveChild(CHANGE)];
  const locate = (path: readonly number[] | undefined): { branch: Branch; index: number } | undefined => {
    const [branch, index] = path?.slice(origin.length) ?? [];
    const ours = path?.length === origin.length + 2 && origin.every((step, at) => path[at] === step);
    return ours && (branch === RECEIVE || branch === CHANGE) && index !== undefined && index < 0x80000000
      ? { branch, index }
      : undefined;
  };
  const owns = (script: Uint8Array, { branch, index }: { branch: Branch; index: number }): boolean =>
    Buffer.from(placeOf(network, branches[branch] as HDKey, branch, index).script).equals(script);
  return {
    ofInput: (tx, at) => {
      const input = tx.getInput(at);
      const script = input.witnessUtxo?.script;
      const place = locate(input.bip32Derivation?.[0]?.[1].path);
      const key = place && (branches[place.branch] as HDKey).deriveChild(place.index).privateKey;
      if (!script || !place || !key || !owns(script, place)) throw new Unreadable(`the input ${at} is not ours`);
      return key;
    },
    isChange: ({ script, path }) => {
      const place = locate(path);
      return place?.branch === CHANGE && owns(script, place);
    },
  };
}

/** Reads a PSBT. The library compares every input with its whole previous transaction. Throws `Unreadable` if it can't be read. */
function parse(unsigned: string): Transaction {
  try {
    return Transaction.fromPSBT(Buffer.from(unsigned, 'base64'), { ...OPTIONS, allowUnknownOutputs: false });
  } catch (error) {
    throw new Unreadable(error instanceof Error ? error.message : 'unreadable');
  }
}

function reading(tx: Transaction, keys: Keys, config: BitcoinConfig): Reading {
  if (tx.version !== VERSION || tx.lockTime !== 0) throw new Unreadable('another form than ours');
  const inputs = Array.from({ length: tx.inputsLength }, (_, index) => readInput(tx, index, keys));
  const outputs = Array.from({ length: tx.outputsLength }, (_, index) => readOutput(tx, index, keys, config));
  const fee = inputs.reduce((sum, { parts }) => sum + parts, 0n) - outputs.reduce((sum, { parts }) => sum + parts, 0n);
  if (inputs.length === 0 || outputs.length === 0 || fee <= 0n) throw new Unreadable('it pays nothing');
  if (outputs.filter(({ own }) => own).length > 1) throw new Unreadable('more than one change');
  return { outputs, spends: inputs.map(({ spend }) => spend), fee: { currency: 'BTC', parts: fee } };
}

function readInput(tx: Transaction, at: number, keys: Keys): { spend: string; parts: bigint } {
  const input = tx.getInput(at);
  const { txid, index, nonWitnessUtxo, witnessUtxo, sighashType, sequence } = input;
  const previous = index === undefined ? undefined : nonWitnessUtxo?.outputs[index];
  if (!txid || index === undefined || !previous || !witnessUtxo)
    throw new Unreadable(`the input ${at} comes without what it spends`);
  const same = previous.amount === witnessUtxo.amount && Buffer.from(previous.script).equals(witnessUtxo.script);
  if (!same) throw new Unreadable(`the input ${at} is not what it says`);
  if (sequence !== SEQUENCE || sighashType !== SigHash.ALL || input.partialSig?.length || input.finalScriptWitness) {
    throw new Unreadable(`the input ${at} is of another form than ours`);
  }
  keys.ofInput(tx, at);
  return { spend: outpointOf({ txid: Buffer.from(txid).toString('hex'), vout: index }), parts: previous.amount };
}

function readOutput(tx: Transaction, at: number, keys: Keys, config: BitcoinConfig): ReadOutput {
  const { script, amount, bip32Derivation } = tx.getOutput(at);
  const to = script && addressFor(config.network, script);
  if (!script || amount === undefined || to === undefined) throw new Unreadable(`the output ${at} pays no address`);
  const change = keys.isChange({ script, path: bip32Derivation?.[0]?.[1].path });
  return { currency: 'BTC', to, parts: amount, ...(change && { own: 'change' as const }) };
}
