import type { HDKey } from '@scure/bip32';
import type { Hex } from 'viem';
import { toHex as bytesToHex } from 'viem/utils';
import { serializeSignature, sign } from 'viem/accounts';
import { ownKeysOf, publicKeysOf, publicOf } from '../account-chain/addresses.ts';
import { type PublicKeys, type ReadOutput, type Reading, type SignRequest, type SigningRail, Unreadable } from '../signer.ts';
import { PATHS, addressOf, checkAddress, requireContracts, spell } from './address.ts';
import { tronClient } from './client.ts';
import type { TronConfig } from './config.ts';
import { isOver } from './ending.ts';
import { type Transfer, bandwidthOf, decodeTransfer, encodeSigned, idOf, readSpend, spendOf } from './transaction.ts';

/** Highest prices in sun, of a byte of bandwidth and of a new account: above all that the chain ever had. The signer uses them. */
const MAX = { byte: 2_000n, activation: 3_000_000n };

/** Returns the public keys of a seed (64 bytes, BIP 39). */
export function tronPublicKeys(seed: Uint8Array): PublicKeys['tron'] {
  const { xpub, hot } = publicKeysOf(seed, PATHS);
  return { xpub, hot: spell(hot) };
}

/**
 * Returns the signer's part of the rail. Takes the seed (64 bytes, BIP 39) and the chain's settings. The signer asks the chain
 * itself if a signed transaction is over. Throws an Error for an invalid token contract.
 */
export function tronSigning(seed: Uint8Array, config: TronConfig): SigningRail {
  requireContracts(config.tokens);
  const keys = ownKeysOf(seed, PATHS);
  const client = tronClient(config);
  const keyOf = ({ purpose, index }: SignRequest): HDKey => (purpose === 'sweep' ? keys.deposit(index) : keys.hot);
  return {
    id: config.id,
    maxFee: config.maxFee,
    read: (request) => {
      const transfer = decode(request.unsigned);
      if (transfer.owner !== addressOf(publicOf(keyOf(request))))
        throw new Unreadable(`not from the wallet of a ${request.purpose}`);
      const { purpose, index } = request;
      const own = purpose === 'payout' ? undefined : addressOf(publicOf(purpose === 'fuel' ? keys.deposit(index) : keys.hot));
      return reading(config, transfer, request, own);
    },
    account: (_currency, fields) => {
      const checked = checkAddress(
        fields,
        config.tokens.map(({ contract }) => contract),
      );
      return checked.ok ? checked.fields['address'] : undefined;
    },
    isOver: async (spends) => {
      for (const spend of spends) if (!(await isOver(client, readSpend(spend), config.blocksAfterEnd))) return false;
      return spends.length > 0;
    },
    sign: async (request) => {
      const { privateKey } = keyOf(request);
      if (!privateKey) throw new Error('A key without its private half');
      const txid = idOf(request.unsigned);
      const signature: Hex = serializeSignature(await sign({ hash: `0x${txid}`, privateKey: bytesToHex(privateKey) }));
      return { raw: encodeSigned(request.unsigned, signature.slice(2)), txid };
    },
  };
}

function decode(unsigned: string): Transfer {
  try {
    return decodeTransfer(unsigned);
  } catch (error) {
    throw new Unreadable(error instanceof Error ? error.message : 'unreadable');
  }
}

/** Checks that a transfer fits its purpose: a payout to a customer, TRX to our deposit address, or a sweep to the hot wallet. */
function reading(config: TronConfig, transfer: Transfer, { purpose, unsigned }: SignRequest, own: string | undefined): Reading {
  const { contract, to, value, feeLimit, expiration, timestamp } = transfer;
  if (contract !== undefined && purpose === 'fuel') throw new Unreadable('no form of a fuel');
  if (own !== undefined && own !== to) throw new Unreadable(`a ${purpose} to ${to}, which is not ours`);
  if (value <= 0n) throw new Unreadable('nothing');
  if ((contract === undefined) !== (feeLimit === 0n)) throw new Unreadable('a limit of energy that doesn’t fit');
  // A transaction that stays valid for long could be held back and sent after everybody believes it dead.
  if (expiration > timestamp + config.lifeMs) throw new Unreadable('valid for longer than we ever need');
  if (purpose === 'fuel' && value > config.maxFee) throw new Unreadable('more TRX than a collection needs');
  const place = own === undefined ? {} : { own: purpose === 'fuel' ? ('deposit' as const) : ('hot' as const) };
  const activation = contract === undefined ? MAX.activation : 0n;
  return {
    outputs: [{ ...sumOf(config, transfer), to, ...place }],
    spends: [spendOf(transfer, idOf(unsigned))],
    fee: { currency: config.coin.code, parts: feeLimit + bandwidthOf(unsigned) * MAX.byte + activation },
  };
}

function sumOf(config: TronConfig, { contract, value }: Transfer): Pick<ReadOutput, 'currency' | 'parts'> {
  if (contract === undefined) return { currency: config.coin.code, parts: value };
  const token = config.tokens.find((candidate) => candidate.contract === contract);
  if (!token) throw new Unreadable(`${contract} is on no list`);
  return { currency: token.code, parts: value };
}
