// Letters about refunds: to the address for which a refund was made, and to the store's owner about a claim that waits.

import { sitePath } from '@kurs/contract';
import { format, minDigits, money, tickerOf, writeAmount } from '@kurs/money';
import { holdersById, letterTimes } from '../../auth/index.ts';
import { type Sender, mail } from '../../deliveries/index.ts';
import { type Tx, letterWords } from '../../platform/index.ts';
import { writeSumNamed } from '../../payments/index.ts';
import { storesById } from '../stores/store-rows.ts';
import { refundSecret } from './refund-secret.ts';
import type { Claim, Refund } from './machine/refund.ts';

/**
 * A letter to the claimant. `made`: a refund can be claimed. `source`: all of it goes back to the payment. `back`: its money came
 * back. `refused`: a claim was refused. Of what should go back to the payment, `reversed`: nothing more goes there, since the payment
 * was taken back; `undone`: it did not go there for another reason.
 */
export type RefundLetter = 'made' | 'source' | 'back' | 'refused' | 'reversed' | 'undone';

/** Letters about money that goes back to a payment: their receiver has nothing to claim. */
const OF_PAYMENTS: ReadonlySet<RefundLetter> = new Set(['source', 'reversed', 'undone']);

/** Returns the path of the page on which a refund is claimed, with the link's secret. */
export const refundPath = ({ tokens }: Pick<Sender, 'tokens'>, { id }: Pick<Refund, 'id'>): string =>
  `refund?id=${id}&token=${refundSecret(tokens, id)}`;

/** Returns the amount of a refund, as people write it. */
const sumOf = ({ currency, digits, amount, locale }: Refund): string =>
  `${writeAmount(format(money(currency, amount), digits), minDigits(digits), locale)}\u00a0${tickerOf(currency)}`;

/**
 * Queues a letter to the address for which a refund was made, if there is one and it may get another today: a store can type any
 * address. Nothing is queued for a test store.
 */
export async function mailRefund(tx: Tx, sender: Sender, refund: Refund, kind: RefundLetter): Promise<void> {
  const { email: to, locale } = refund;
  if (!to || refund.isTest) return;
  const [key] = await mail.freeKeys(tx, to);
  const store = (await storesById(tx, [refund.store.id])).get(refund.store.id);
  if (key === undefined || !store) return;
  const words = letterWords(locale, 'refund', { name: sender.name, store: store.name, sum: sumOf(refund) });
  const isOfPayment = OF_PAYMENTS.has(kind);
  mail.queue(tx, {
    ...{ to, locale, name: sender.name, key },
    subject: words(`${kind}.subject`),
    paragraphs: [words(`${kind}.lead`), ...(isOfPayment ? [] : [words('then')])],
    facts: [
      [words('number'), refund.number],
      [words('amount'), sumOf(refund)],
      ...(refund.note === undefined ? [] : [[words('note'), refund.note] as const]),
      ...(isOfPayment ? [] : [[words('until'), letterTimes({ locale })(refund.expiresAt)] as const]),
    ],
    link: { url: sender.url + sitePath(locale, refundPath(sender, refund)), words: words(isOfPayment ? 'look' : 'open') },
    keep: words('keep'),
  });
}

/** Queues the code that a claim of a refund needs. */
export async function mailRefundCode(
  tx: Tx,
  { name }: Sender,
  refund: Refund & { readonly email: string },
  { code, once }: { readonly code: string; readonly once: string },
): Promise<void> {
  const { email: to, locale } = refund;
  const words = letterWords(locale, 'refund', { name, sum: sumOf(refund), number: refund.number, code });
  mail.queue(tx, {
    ...{ to, locale, name, key: `refund ${refund.id} code ${once}` },
    ...{ subject: words('code.subject'), paragraphs: [words('code.lead')], code, keep: words('code.keep') },
  });
}

/** Queues the letter to the store's owner about a claim that waits for a member. */
export async function mailWaitingClaim(tx: Tx, { name, url }: Sender, refund: Refund, claim: Claim): Promise<void> {
  const store = (await storesById(tx, [refund.store.id])).get(refund.store.id);
  const owner = store && (await holdersById(tx, [store.holderId])).get(store.holderId);
  if (!store || !owner || owner.isAltered) return;
  const { email: to, locale } = owner;
  const words = letterWords(locale, 'refund', { name, store: store.name, number: refund.number });
  const page = `dashboard/business/store/refund?store=${store.id}&id=${refund.id}`;
  mail.queue(tx, {
    ...{ to, locale, name, key: `refund ${refund.id} waits ${claim.id}` },
    subject: words('waits.subject'),
    paragraphs: [words('waits.lead')],
    facts: [
      [words('number'), refund.number],
      [words('arrives'), writeSumNamed(claim, locale)],
    ],
    link: { url: url + sitePath(locale, page), words: words('waits.open') },
    keep: words('waits.keep'),
  });
}
