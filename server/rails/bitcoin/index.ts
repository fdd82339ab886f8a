/**
 * Bitcoin over an Esplora server, with one descriptor account of our own.
 *
 * - **Address**: one of our own addresses: branch 0 receives (an index per order, never used twice), branch 1 is change.
 * - **Coin**: an output of ours that can be spent. **Outpoint**: its name, `txid:vout`, which is an observed payment's key too.
 * - **Waiting**: in the mempool. A waiting transaction is *replaceable* when it, or an ancestor that waits, signals so,
 *   or when the network holds another that spends the same; whatever it is, it is only seen.
 * - **Rate**: what a transaction pays the network, in millisatoshi per virtual byte.
 */
import { type Money, format } from '@kurs/money';
import type { Rail, RailCurrency, Signer } from '../rail.ts';
import type { PublicKeys } from '../signer.ts';
import { checkAddress } from './address.ts';
import { openEsplora } from './client.ts';
import type { BitcoinConfig } from './config.ts';
import { DUST } from './fees.ts';
import { openAccount, RECEIVE } from './keys.ts';
import { seek } from './missing-payments.ts';
import { bitcoinPayout } from './payout.ts';
import { observe, paidBy } from './observed-payments.ts';
import { bitcoinScan } from './scan.ts';
import { openWallet } from './wallet.ts';

export { type BitcoinConfig, bitcoin } from './config.ts';
export { bitcoinAddresses, bitcoinPublicKeys } from './keys.ts';
export { bitcoinSigning } from './signing.ts';

const CURRENCY: RailCurrency = {
  code: 'BTC',
  unit: 'BTC',
  railScale: 8,
  payDigits: 8,
  network: 'Bitcoin',
  fields: [{ name: 'address', label: 'accounts.address', type: 'address', required: true, pattern: '^[0-9A-Za-z]{14,90}$' }],
  dust: DUST,
  fuel: 'BTC',
  arrivesAt: 'hot',
};

/** The rail. Opens no connection until it is asked something. Throws where the keys are of another network. */
export function bitcoinRail(config: BitcoinConfig, keys: PublicKeys['bitcoin'], signer: Signer): Rail {
  const account = openAccount(config.network, keys);
  const esplora = openEsplora(config.esplora, config.timeoutMs);
  const wallet = openWallet(esplora, account, config.pollMs);
  return {
    id: config.id,
    kind: 'chain',
    currencies: [CURRENCY],
    // The first address is never handed to a customer.
    ownAccount: () => account.place(RECEIVE, 0).address,
    payin: {
      checkAccount: (_currency, fields) => checkAddress(config.network, fields),
      instruct: (_currency, index) => ({ to: account.place(RECEIVE, index).address }),
      uri: (_currency, to, amount) => paymentUri(to, amount),
      code: (_currency, to, amount) => paymentUri(to, amount),
      observe: (addresses, unread) => observe(esplora, config, addresses, unread),
      seek: (missing) => seek(esplora, config, missing),
      paidBy: (place, hash) => paidBy(esplora, config, place, hash),
      tip: async () => {
        const height = await esplora.tipHeight();
        return { height, hash: await esplora.blockHash(height) };
      },
    },
    scan: bitcoinScan(esplora, account),
    payout: bitcoinPayout({ config, esplora, account, wallet, signer }),
    reserve: (state) => wallet.reserve(state),
    health: async () => {
      try {
        const height = await esplora.tipHeight();
        return { up: true, height, detail: `block ${height}` };
      } catch (error) {
        return { up: false, silent: true, detail: error instanceof Error ? error.message : 'no answer' };
      }
    },
    calls: esplora.calls,
    close: async () => {},
  };
}

/** BIP 21, in small letters as every wallet reads it; the amount is in bitcoin, without zeros at its end. */
const paymentUri = (to: string, amount: Money): string => `bitcoin:${to}?amount=${format(amount, 0)}`;
