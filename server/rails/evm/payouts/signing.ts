import type { HDKey } from '@scure/bip32';
import type { Address, Hex } from 'viem';
import { parseTransaction, toHex } from 'viem/utils';
import { signTransaction } from 'viem/accounts';
import { ownKeysOf, publicKeysOf, publicOf } from '../../account-chain/addresses.ts';
import type { Fields } from '../../rail.ts';
import { type PublicKeys, type ReadOutput, type Reading, type SignRequest, type SigningRail, Unreadable } from '../../signer.ts';
import { PATHS, addressOf, checkAddress, requireContracts, sameAddress, spell } from '../address.ts';
import { toChain, toParts } from '../chain.ts';
import type { EvmConfig } from '../config.ts';
import { type Transfer, decodeTransfer, hashOf, nonceSpend } from './transaction.ts';

/** Returns the public keys of a seed (BIP 39's 64 bytes). */
export function evmPublicKeys(seed: Uint8Array): PublicKeys['evm'] {
  const { xpub, hot } = publicKeysOf(seed, PATHS);
  return { xpub, hot: spell(hot) };
}

/** Returns the signer's side of a chain, from the seed and the chain's configuration. Throws an Error for a mistyped contract. */
export function evmSigning(seed: Uint8Array, config: EvmConfig): SigningRail {
  requireContracts(config.tokens);
  const keys = ownKeysOf(seed, PATHS, config.firstChild);
  const keyOf = ({ purpose, index }: SignRequest): HDKey => (purpose === 'sweep' ? keys.deposit(index) : keys.hot);
  const contracts = config.tokens.map((token) => token.contract);
  return {
    id: config.id,
    maxFee: config.maxFee,
    read: (request) => {
      const transfer = decode(request.unsigned, contracts);
      const from = addressOf(publicOf(keyOf(request)));
      if (transfer.chainId !== config.chainId) throw new Unreadable(`made for chain ${transfer.chainId}`);
      const { purpose, index } = request;
      const own = purpose === 'payout' ? undefined : addressOf(publicOf(purpose === 'fuel' ? keys.deposit(index) : keys.hot));
      return reading(config, transfer, from, purpose, own);
    },
    account: (_currency: string, fields: Fields) => {
      const checked = checkAddress(fields, contracts);
      return checked.ok ? checked.fields['address'] : undefined;
    },
    sign: async (request) => {
      const { privateKey } = keyOf(request);
      if (!privateKey) throw new Error('A key without its private half');
      const transaction = { ...parseTransaction(request.unsigned as `0x02${string}`), type: 'eip1559' as const };
      const raw: Hex = await signTransaction({ privateKey: toHex(privateKey), transaction });
      return { raw, txid: hashOf(raw) };
    },
  };
}

function decode(unsigned: string, contracts: readonly Address[]): Transfer {
  try {
    const transfer = decodeTransfer(unsigned, contracts);
    if (parseTransaction(unsigned as `0x02${string}`).r !== undefined) throw new Error('signed already');
    return transfer;
  } catch (error) {
    throw new Unreadable(error instanceof Error ? error.message : 'unreadable');
  }
}

/**
 * Describes a transfer whose form fits its purpose. A payout sends tokens, or coin if it is a currency, to a customer. A sweep sends
 * either to our hot wallet. Fuel is coin for one of our deposit addresses. Throws `Unreadable` for any other form.
 */
function reading(
  config: EvmConfig,
  transfer: Transfer,
  from: Address,
  purpose: SignRequest['purpose'],
  own: Address | undefined,
): Reading {
  const { contract, to, value } = transfer;
  const fits = contract ? purpose !== 'fuel' : purpose === 'fuel' || config.coin !== undefined;
  if (!fits) throw new Unreadable(`no form of a ${purpose}`);
  if (own && !sameAddress(own, to)) throw new Unreadable(`a ${purpose} to ${to}, which is not ours`);
  // The rail sends at most twice the cost of a sweep. More could drain the hot wallet into deposit addresses.
  if (purpose === 'fuel' && value > 2n * config.maxFee) throw new Unreadable('more gas money than a collection needs');
  return {
    outputs: [
      { ...sumOf(config, transfer), to, ...(own ? { own: purpose === 'fuel' ? ('deposit' as const) : ('hot' as const) } : {}) },
    ],
    spends: [nonceSpend(config.chainId, from, transfer.nonce)],
    fee: { currency: config.native, parts: transfer.gas * transfer.maxFeePerGas },
  };
}

function sumOf(config: EvmConfig, { contract, value }: Transfer): Pick<ReadOutput, 'currency' | 'parts'> {
  if (!contract) {
    if (value === 0n) throw new Unreadable('no sum');
    return { currency: config.native, parts: value };
  }
  const token = config.tokens.find((candidate) => sameAddress(candidate.contract, contract));
  if (!token) throw new Unreadable(`${contract} is on no list`);
  const parts = toParts(token, value);
  if (parts === 0n || toChain(token, parts) !== value) throw new Unreadable('not a whole sum of the unit');
  return { currency: token.code, parts };
}
