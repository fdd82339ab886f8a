/**
 * Bitcoin over an Esplora server, with one descriptor account of our own.
 *
 * - **Place**: one of our own addresses. Branch 0 receives (no index is given out twice), branch 1 is change.
 * - **Coin**: an output of ours that can be spent. **Outpoint**: its name, `txid:vout`, also the key of an observed payment.
 * - **Waiting**: in the mempool. A waiting transaction is *replaceable* if it, or a waiting ancestor, signals so, or if the
 *   network holds another that spends the same. In every case it is only seen, and not received.
 * - **Rate**: the fee of a transaction for its size, in millisatoshi per virtual byte.
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

/** Returns the rail. It opens no connection before the first call. Throws an Error if the keys are of another network. */
export function bitcoinRail(config: BitcoinConfig, keys: PublicKeys['bitcoin'], signer: Signer): Rail {
  const account = openAccount(config.network, keys);
  const esplora = openEsplora(config.esplora, config.timeoutMs);
  const wallet = openWallet(esplora, account, config.pollMs);
  return {
    id: config.id,
    kind: 'chain',
    currencies: [CURRENCY],
    // The first receiving address is never given to a customer.
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
        return { isUp: true, height, detail: `block ${height}` };
      } catch (error) {
        return { isUp: false, isSilent: true, detail: error instanceof Error ? error.message : 'no answer' };
      }
    },
    calls: esplora.calls,
    close: async () => {},
  };
}

/** Returns a BIP 21 link in lower case, which every wallet reads; the amount is in bitcoin, without trailing zeros. */
const paymentUri = (to: string, amount: Money): string => `bitcoin:${to}?amount=${format(amount, 0)}`;
