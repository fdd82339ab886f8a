// Screening of payments (C3): the sender is known only once somebody has paid, and the network is never asked while a
// transaction is open. So a payment waits as a row, is asked about, and counts when its verdict is there. One that can be
// taken back is held, too, where it isn't paid from its customer's own account (A4).

import { isReversible, screen, screens, strangersAmong } from '../compliance/index.ts';
import type { PayinBody } from '../payments/index.ts';
import type { Db, Tx } from '../platform/index.ts';
import type { Context } from './events.ts';
import type { StoredOrder } from './order-store.ts';

export type Verdict = Context['screening'];

/** What is known of a group's payments: whether one that is final counts, is held or has to wait; and why it is held. */
export interface Judged {
  verdict(payin: PayinBody): Verdict | 'waits';
  why(payin: PayinBody): { readonly why?: string };
}

const STRANGER = 'paid from an account that isn’t known as this person’s';

/** Has new payments screened, and judges those that are final now. `orders`: the locked ones that they are for. */
export async function judgePayments(
  tx: Tx,
  told: readonly { readonly orderId: string; readonly body: PayinBody }[],
  orders: readonly StoredOrder[],
): Promise<Judged> {
  const final = told.filter(({ body }) => body.event === 'final');
  const strangers = await strangePayments(tx, final, orders);
  const verdicts = screens() ? await screenings(tx, told.map(({ body }) => body)) : undefined; // prettier-ignore
  const isStrange = ({ payinId, event }: PayinBody): boolean => event === 'final' && strangers.has(payinId);
  return {
    verdict: (payin) => {
      const screened = !verdicts || payin.event !== 'final' ? 'clean' : (verdicts.get(payin.payinId) ?? 'waits');
      return screened === 'clean' && isStrange(payin) ? 'soft' : screened;
    },
    why: (payin) => (isStrange(payin) ? { why: STRANGER } : {}),
  };
}

/** Payments, by id, that can be taken back and don't come from their customer's own account. */
async function strangePayments(
  tx: Tx,
  final: readonly { readonly orderId: string; readonly body: PayinBody }[],
  orders: readonly StoredOrder[],
): Promise<Set<string>> {
  const emails = new Map(orders.map(({ view, email }) => [view.id, email]));
  const paying = final.flatMap(({ orderId, body: { currency, payinId, from } }) => {
    const email = emails.get(orderId);
    return email === undefined || !isReversible(currency) ? [] : [{ payinId, orderId, email, accounts: from }];
  });
  const strangers = await strangersAmong(tx, paying);
  return new Set(paying.filter((_, at) => strangers.has(at)).map(({ payinId }) => payinId));
}

/** Notes payments to be asked about, and gives the verdicts on those that are final now. */
async function screenings(tx: Tx, payins: readonly PayinBody[]): Promise<Map<string, Verdict>> {
  await noteScreenings(tx, payins);
  return verdictsOf(
    tx,
    payins.filter(({ event }) => event === 'final').map(({ payinId }) => payinId),
  );
}

const AT_ONCE = 16;

/** Notes payments whose senders are to be asked about. */
async function noteScreenings(tx: Tx, payins: readonly PayinBody[]): Promise<void> {
  for (const { payinId, currency, from } of payins) {
    await tx.run(
      `insert into payment_screening (payin_id, currency, senders, at) values ($1, $2, $3, $4) on conflict do nothing`,
      [payinId, currency, from, tx.now],
      { name: 'exchange.note_screening' },
    );
  }
}

/** The verdicts that are there, by payment. */
async function verdictsOf(tx: Tx, payins: readonly string[]): Promise<Map<string, Verdict>> {
  if (payins.length === 0) return new Map();
  const rows = await tx.rows<{ payin_id: string; verdict: Verdict }>(
    'select payin_id, verdict from payment_screening where payin_id = any($1) and verdict is not null',
    [payins],
    { name: 'exchange.verdicts' },
  );
  return new Map(rows.map((row) => [row.payin_id, row.verdict]));
}

/** Asks about payments that wait for a verdict; gives how many. Silence holds: nothing leaves while nobody has looked. */
export async function screenPayments(db: Db): Promise<number> {
  const waiting = await db.rows<{ payin_id: string; currency: string; senders: string[] }>(
    'select payin_id, currency, senders from payment_screening where verdict is null order by at limit $1',
    [AT_ONCE],
    { name: 'exchange.to_screen' },
  );
  await Promise.all(
    waiting.map(async ({ payin_id, currency, senders }) => {
      const screened = await screen(senders.map((address) => ({ currency, fields: { address } })));
      const verdict: Verdict = screened.outcome !== 'held' ? 'clean' : screened.soft ? 'soft' : 'hard';
      await db.run('update payment_screening set verdict = $2 where payin_id = $1', [payin_id, verdict]);
    }),
  );
  return waiting.length;
}
