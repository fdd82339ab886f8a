// Payments to invoices whose sender was flagged: the list, and decisions about them.

import { type Input, type Output, Problem, type Routes } from '@kurs/contract';
import { format, money } from '@kurs/money';
import type { Sender } from '../../../exchange/index.ts';
import { decideHeld, heldPayment, heldPayments } from '../../../gate/index.ts';
import { payinById } from '../../../payments/index.ts';
import { type Db, alsoAbout, requirePermission } from '../../../platform/index.ts';
import type { Person } from '../../people/roles.ts';
import { type Acted, actAs } from '../../people/two-people.ts';

const MAX = 200;

/** Returns the payments to invoices that wait for the desk, those held longest first. */
export async function heldPaymentsView(db: Db): Promise<Output<Routes['operatorHeldPayments']>> {
  const waiting = await heldPayments(db, MAX);
  return Promise.all(
    waiting.map(async ({ payment, number, store, email, counts }) => {
      const { id, unit, parts, currency, txid, hold, source } = payment;
      return {
        ...{ id, invoice: number, store, by: currency, cause: hold.cause, txid },
        ...(email !== undefined && { email }),
        amount: { amount: format(money(unit, parts)), currency: unit },
        counts,
        from: [...((await payinById(db, id))?.from ?? [])],
        ...(source && { back_to: { ...source.fields } }),
        ...(hold.papers && { papers: hold.papers }),
        ...{ since: hold.since.toISOString(), until: hold.until.toISOString() },
      };
    }),
  );
}

/**
 * Releases a held payment to an invoice, refuses it, freezes it, requests papers, or records that papers came. Takes a compliance
 * officer, as for a held order, and two for a freeze. Throws `not_found`, `record_altered`, `order_changed` if the payment is no
 * longer held, `action_not_open`, and the errors of `actAs`.
 */
export async function actOnHeld(
  { db, sender }: { readonly db: Db; readonly sender: Sender },
  person: Person,
  { id, action, reason }: Input<Routes['operatorHeldPayment']>,
  key: string | undefined,
): Promise<Acted & { readonly state: string }> {
  requirePermission(person, 'orders.judge');
  return db.tx(async (tx) => {
    const held = await heldPayment(tx, id);
    alsoAbout({ paymentId: id, ...(held && { invoiceNumber: held.number }) });
    let state: string = held ? 'held' : '';
    const check = (): void => {
      if (!held) throw new Problem('order_changed');
    };
    const wanted = {
      action: `invoice_payment_${action}`,
      subject: id,
      reason,
      permission: 'orders.judge',
      people: action === 'freeze' ? 2 : 1,
      body: {},
      about: held?.payment.hold.since.toISOString() ?? '',
      key,
      check,
    } as const;
    const acted = await actAs(tx, person, wanted, async (by) => {
      state = await decideHeld(tx, sender, { id, action, by, reason });
    });
    return { ...acted, state };
  });
}
