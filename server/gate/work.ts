// Work by time: letters about API keys that end, webhooks that fail and addresses that nobody pays, steps of invoices, the
// forgetting of old ones, automatic moves of stores, the repayment of debts from wallets, the release of their reserves, and the end
// of refunds.

import type { Sender } from '../deliveries/index.ts';
import { type Db, every } from '../platform/index.ts';
import { mailUsedUpAddresses } from './actions/unpaid-addresses.ts';
import { dueInvoices } from './apply/due-invoices.ts';
import { dueDebts } from './settlements/due-debts.ts';
import { dueMoves } from './settlements/due-moves.ts';
import { forgetInvoices } from './apply/forget-invoices.ts';
import { mailEndingKeys } from './keys/ending-keys.ts';
import { mailTroubledWebhooks } from './webhooks/letters.ts';
import { dueReleases } from './reserve/due-releases.ts';
import { dueRefunds } from './refunds/actions/end-refund.ts';
import { forgetRefunds } from './refunds/forget-refunds.ts';

const KEYS_MS = 600_000;
const TROUBLES_MS = 60_000;
const ADDRESSES_MS = 60_000;
const DUE_MS = 1_000;
const MOVES_MS = 5_000;
const DEBTS_MS = 5_000;
const FORGET_MS = 600_000;
const REFUNDS_MS = 30_000;
const RELEASES_MS = 30_000;

/** Runs the room's loops in a worker, until they are stopped. */
export function runGate(db: Db, sender: Sender): { stop(): Promise<void> } {
  const loops = [
    every(KEYS_MS, 'gate.key_letters', () => mailEndingKeys(db, sender)),
    every(FORGET_MS, 'gate.forget', () => forgetInvoices(db)),
    every(FORGET_MS, 'gate.forget_refunds', () => forgetRefunds(db)),
    every(TROUBLES_MS, 'gate.webhook_letters', () => mailTroubledWebhooks(db, sender)),
    every(ADDRESSES_MS, 'gate.address_letters', () => mailUsedUpAddresses(db, sender)),
    every(DUE_MS, 'gate.due', () => dueInvoices(db, sender)),
    every(MOVES_MS, 'gate.moves', () => dueMoves(db)),
    every(DEBTS_MS, 'gate.debts', () => dueDebts(db)),
    every(RELEASES_MS, 'gate.releases', () => dueReleases(db)),
    every(REFUNDS_MS, 'gate.refunds', () => dueRefunds(db)),
  ];
  return { stop: async () => void (await Promise.all(loops.map((loop) => loop.stop()))) };
}
