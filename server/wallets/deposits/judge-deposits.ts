// What final payments into wallets may be used for: by their screening, and held where one that can be taken back
// isn't paid from its holder's own account.

import { holderById } from '../../auth/index.ts';
import { bindPayers, isReversible, screens, strangersAmong, verdictsOnPayments } from '../../compliance/index.ts';
import type { PayinBody } from '../../payments/index.ts';
import type { Tx } from '../../platform/index.ts';
import type { Deposit, Standing } from './deposit.ts';
import { unclearedMs } from '../settings.ts';
import type { WalletPlace } from '../store.ts';

const STRANGER = 'paid from an account that isn’t known as this person’s';
const FLAGGED = 'its sender was flagged';

/** What is known of a group's payments. */
export interface Judged {
  /** For what a payment that is final may be used; or that nobody knows yet. */
  of(body: PayinBody): Standing | 'waits';
}

interface Paid {
  readonly body: PayinBody;
  readonly place: WalletPlace;
}

/** Can a deposit be taken back for months? */
export const isReversibleDeposit = ({ currency }: Pick<Deposit, 'currency'>): boolean => isReversible(currency);

/** Has new payments screened, and judges those that are final now. */
export async function judgeDeposits(tx: Tx, paid: readonly Paid[]): Promise<Judged> {
  const strangers = await strangePayments(tx, paid);
  const seen = paid.map(({ body }) => ({ ...body, isFinal: body.event === 'final' }));
  const verdicts = screens() ? await verdictsOnPayments(tx, seen) : undefined;
  const free = new Date(tx.now.getTime() + unclearedMs());
  return {
    of(body) {
      if (body.event !== 'final') return {};
      const verdict = verdicts ? (verdicts.get(body.payinId) ?? 'waits') : 'clean';
      if (verdict === 'waits') return 'waits';
      const why = verdict !== 'clean' ? FLAGGED : strangers.has(body.payinId) ? STRANGER : undefined;
      return { why, freeAt: isReversible(body.currency) ? free : undefined };
    },
  };
}

/** Payments, by id, that can be taken back and don't come from their holder's own account. The others' accounts are his from now on. */
async function strangePayments(tx: Tx, paid: readonly Paid[]): Promise<Set<string>> {
  const final = paid.filter(({ body }) => body.event === 'final' && body.part === undefined && isReversible(body.currency));
  const paying = [];
  for (const { body, place } of final) {
    const holder = await holderById(tx, place.holderId);
    paying.push({ payinId: body.payinId, orderId: place.id, email: holder?.email ?? '', accounts: body.from });
  }
  const strangers = await strangersAmong(tx, paying);
  const own = paying.filter((_, at) => !strangers.has(at)).map(({ orderId }) => orderId);
  if (own.length > 0) await bindPayers(tx, own);
  return new Set(paying.filter((_, at) => strangers.has(at)).map(({ payinId }) => payinId));
}
