import { z } from 'zod';
import { field } from '../provider/index.ts';

/** What an operator says of their gateway at Nebulox. */
export const settings = z.strictObject({
  apiUrl: field(z.url({ protocol: /^https?$/ }).default('https://api.nebulox.io/api/'), {
    description: 'the address of the service',
    where: 'another only for tests',
  }),
  /** It both asks for invoices and signs messages: anyone who has it can forge them. */
  apiKey: field(z.uuid({ version: 'v4' }), {
    description: 'the API key of one gateway',
    where: 'Nebulox: the gateway’s page',
    example: '3f0c2a4e-9b1d-4c58-8a67-1d2e3f405162',
  }),
});

export type NebuloxSettings = z.output<typeof settings>;

/** A coin that comes only through Nebulox, in its words and by the prefixes of its addresses. */
export interface Coin {
  readonly code: string;
  readonly symbol: string;
  readonly network: string;
  readonly addresses: { readonly bech32: string; readonly pubKeyHash: number; readonly scriptHash: number; readonly wif: number };
  /** The smallest payment that is more than dust, in parts. */
  readonly dust: bigint;
}

/** Digits of both coins. */
export const SCALE = 8;

/**
 * What Nebulox takes and no rail of ours does. Bitcoin, TRX and USDT through it would be claims on Nebulox, other units than
 * our own coins, with nothing that our own rails don't do better.
 */
export const COINS: readonly Coin[] = [
  {
    ...{ code: 'LTC', symbol: 'LTC', network: 'Litecoin', dust: 10_000n },
    addresses: { bech32: 'ltc', pubKeyHash: 0x30, scriptHash: 0x32, wif: 0xb0 },
  },
  {
    ...{ code: 'DOGE', symbol: 'DOGE', network: 'Dogecoin', dust: 100_000_000n },
    // Dogecoin has no segwit: no text begins with this.
    addresses: { bech32: 'doge-has-none', pubKeyHash: 0x1e, scriptHash: 0x16, wif: 0x9e },
  },
];

export const coinOf = (code: string): Coin | undefined => COINS.find((coin) => coin.code === code);
