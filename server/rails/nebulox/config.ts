import { z } from 'zod';
import { field } from '../provider/index.ts';

/** Settings of the operator's gateway at Nebulox. */
export const settings = z.strictObject({
  apiUrl: field(z.url({ protocol: /^https?$/ }).default('https://api.nebulox.io/api/'), {
    description: 'the address of the service',
    where: 'change it only for tests',
  }),
  /** The key creates invoices and also signs messages: anyone who has it can forge a message. */
  apiKey: field(z.uuid({ version: 'v4' }), {
    description: 'the API key of one gateway',
    where: 'Nebulox: the gateway’s page',
    example: '3f0c2a4e-9b1d-4c58-8a67-1d2e3f405162',
  }),
});

export type NebuloxSettings = z.output<typeof settings>;

/** A coin that only Nebulox receives for us: its names there, and the prefixes of its addresses. */
export interface Coin {
  readonly code: string;
  readonly symbol: string;
  readonly network: string;
  readonly addresses: { readonly bech32: string; readonly pubKeyHash: number; readonly scriptHash: number; readonly wif: number };
  /** Smallest payment that is more than dust, in minor units. */
  readonly dust: bigint;
}

/** Decimals of both coins. */
export const SCALE = 8;

/**
 * Coins that Nebulox takes and no other rail does. Bitcoin, TRX and USDT are left out: our own rails take
 * them better. Through Nebulox they would be claims on Nebulox, and so other units than our own coins.
 */
export const COINS: readonly Coin[] = [
  {
    ...{ code: 'LTC', symbol: 'LTC', network: 'Litecoin', dust: 10_000n },
    addresses: { bech32: 'ltc', pubKeyHash: 0x30, scriptHash: 0x32, wif: 0xb0 },
  },
  {
    ...{ code: 'DOGE', symbol: 'DOGE', network: 'Dogecoin', dust: 100_000_000n },
    // Dogecoin has no segwit addresses, so this prefix matches no text.
    addresses: { bech32: 'doge-has-none', pubKeyHash: 0x1e, scriptHash: 0x16, wif: 0x9e },
  },
];

/** Returns the coin of a currency, or undefined if it is none of these. */
export const coinOf = (code: string): Coin | undefined => COINS.find((coin) => coin.code === code);
