// Letters about invoices: the receipt for the buyer, a letter about a partly paid invoice, a letter about each paid one to the
// store's owner who wants it, letters to the owner about money that came short or late, or that was taken back, and letters to the
// payer of a held payment: that it is checked, and a request for papers.

import { sitePath } from '@kurs/contract';
import { assetOf, minDigits, tickerOf, writeAmount } from '@kurs/money';
import { type Holder, holdersById, letterTimes } from '../auth/index.ts';
import { type Letter, mail } from '../deliveries/index.ts';
import { writeSumNamed } from '../payments/index.ts';
import { type Tx, letterWords } from '../platform/index.ts';
import type { ChangedPart, HeldNow, Undecided } from './apply/batch.ts';
import type { LetterSender } from './businesses/letters.ts';
import { type Invoice, type InvoicePayment, type InvoiceTerms, creditedOf, dueOf } from './invoices/invoice.ts';
import { type StoredInvoice, emailOfPayer } from './rows/stored-invoice.ts';
import { digitsOf } from './methods/current-price.ts';
import type { Store } from './stores/store.ts';
import { storesById } from './stores/store-rows.ts';
import { sumText } from './wire/sum-text.ts';

/** Queues the letters about invoices that were just settled. Invoices of test stores have none. */
export async function mailPaid(tx: Tx, sender: LetterSender, settled: readonly StoredInvoice[]): Promise<void> {
  const paid = settled.filter(({ view }) => !view.terms.isTest);
  if (paid.length === 0) return;
  const stores = await storesById(tx, [...new Set(paid.map(({ view }) => view.store.id))]);
  for (const invoice of paid) {
    const store = stores.get(invoice.view.store.id);
    if (!store) continue;
    await queueReceipt(tx, sender, invoice, store);
    if (store.hasLetters) await queueForOwner(tx, sender, invoice, store, 'paid');
  }
}

/** Queues letters to the owners of stores about money that came short or late. Invoices of test stores have none. */
export async function mailUndecided(tx: Tx, sender: LetterSender, all: readonly Undecided[]): Promise<void> {
  const undecided = all.filter(({ invoice }) => !invoice.view.terms.isTest);
  if (undecided.length === 0) return;
  const stores = await storesById(tx, [...new Set(undecided.map(({ invoice }) => invoice.view.store.id))]);
  for (const { invoice, kind } of undecided) {
    const store = stores.get(invoice.view.store.id);
    if (store) await queueForOwner(tx, sender, invoice, store, kind);
  }
}

/** Queues letters to the buyers of invoices whose time is over and that are partly paid. Invoices of test stores have none. */
export async function mailShort(tx: Tx, { name, url }: LetterSender, short: readonly StoredInvoice[]): Promise<void> {
  const known = short.filter(({ view, email }) => !view.terms.isTest && email !== undefined);
  if (known.length === 0) return;
  const stores = await storesById(tx, [...new Set(known.map(({ view }) => view.store.id))]);
  for (const invoice of known) {
    const { email: to = '', locale, view, number } = invoice;
    const [key] = await mail.freeKeys(tx, to);
    const store = stores.get(view.store.id);
    if (!store || key === undefined) continue;
    const sum = (parts: bigint): string => written(view.terms, parts, locale);
    const sums = { paid: sum(creditedOf(view)), due: sum(dueOf(view) ?? 0n) };
    const words = letterWords(locale, 'invoice', { name, store: store.name, number, ...sums });
    mail.queue(tx, {
      ...{ to, locale, name, key },
      subject: words('part_paid.subject'),
      paragraphs: [words('part_paid.lead'), words('part_paid.then')],
      facts: factsOf(invoice, locale, words),
      link: { url: url + sitePath(locale, `pay/${view.id}`), words: words('open') },
      keep: words('part_paid.keep'),
    });
  }
}

async function queueReceipt(tx: Tx, { name, url }: LetterSender, invoice: StoredInvoice, store: Store): Promise<void> {
  const { email: to, locale, view } = invoice;
  if (to === undefined) return;
  const [key] = await mail.freeKeys(tx, to);
  if (key === undefined) return;
  const words = letterWords(locale, 'invoice', { name, store: store.name, number: invoice.number, sum: sumOf(invoice, locale) });
  mail.queue(tx, {
    ...{ to, locale, name, key },
    subject: words('receipt.subject'),
    paragraphs: [words('receipt.lead'), words('receipt.then')],
    facts: [...factsOf(invoice, locale, words), [words('at'), letterTimes({ locale })(tx.now)]],
    link: { url: url + sitePath(locale, `pay/${view.id}`), words: words('open') },
    keep: words('receipt.keep'),
  });
}

/**
 * Queues letters to payers whose payments are held. They never state why people check a payment. Payments to test invoices have
 * none.
 */
export async function mailHeld(tx: Tx, { name, url }: LetterSender, held: readonly HeldNow[]): Promise<void> {
  const known = held.filter(({ invoice }) => !invoice.view.terms.isTest && emailOfPayer(invoice) !== undefined);
  if (known.length === 0) return;
  const stores = await storesById(tx, [...new Set(known.map(({ invoice }) => invoice.view.store.id))]);
  for (const { invoice, payment } of known) {
    const { view, locale, number } = invoice;
    const to = emailOfPayer(invoice) ?? '';
    const [key] = await mail.freeKeys(tx, to);
    if (key === undefined) continue;
    const sum = writeSumNamed(payment, locale);
    const words = letterWords(locale, 'invoice', { name, store: stores.get(view.store.id)?.name ?? '', number, sum });
    mail.queue(tx, {
      ...{ to, locale, name, key },
      subject: words('held.subject'),
      paragraphs: [words('held.lead'), words('held.then')],
      facts: [
        [words('number'), number],
        [words('paid_by'), sum],
      ],
      link: { url: url + sitePath(locale, `pay/${view.id}`), words: words('open') },
      keep: words('held.keep'),
    });
  }
}

/** Queues the letter that requests papers of the payer of a held payment. It never states why people check the payment. */
export async function mailPapers(
  tx: Tx,
  { name, url }: LetterSender,
  invoice: StoredInvoice,
  payment: InvoicePayment,
): Promise<void> {
  const { view, locale, number } = invoice;
  const to = emailOfPayer(invoice);
  if (to === undefined) return;
  const store = (await storesById(tx, [view.store.id])).get(view.store.id);
  const sum = writeSumNamed(payment, locale);
  const words = letterWords(locale, 'invoice', { name, store: store?.name ?? '', number, sum });
  mail.queue(tx, {
    ...{ to, locale, name, key: `invoice ${view.id} papers ${payment.id} ${tx.now.getTime()}` },
    subject: words('papers.subject'),
    paragraphs: [words('papers.lead'), words('papers.rate')],
    facts: [
      [words('number'), number],
      [words('paid_by'), sum],
    ],
    link: { url: url + sitePath(locale, `pay/${view.id}`), words: words('open') },
    keep: words('papers.keep'),
  });
}

/**
 * Queues letters to the owners of stores about settled payments that were taken back, or came again. Invoices of test stores have
 * none.
 */
export async function mailChangedParts(tx: Tx, { name, url }: LetterSender, all: readonly ChangedPart[]): Promise<void> {
  const changed = all.filter(({ invoice }) => !invoice.view.terms.isTest);
  if (changed.length === 0) return;
  const stores = await storesById(tx, [...new Set(changed.map(({ invoice }) => invoice.view.store.id))]);
  for (const { invoice, payment, lost } of changed) {
    const { view, number } = invoice;
    const store = stores.get(view.store.id);
    const owner = store && (await ownerOf(tx, store));
    if (!store || !owner || !payment.settled) continue;
    const { unit } = payment.settled;
    const { email: to, locale } = owner;
    const kind = lost > 0n ? 'taken_back' : 'came_again';
    const words = letterWords(locale, 'invoice', { name, store: store.name, number, sum: writeSumNamed(payment, locale) });
    const sum = written({ currency: unit, digits: digitsOf(assetOf(unit)) }, lost > 0n ? lost : -lost, locale);
    mail.queue(tx, {
      ...{ to, locale, name, key: `invoice ${view.id} ${kind} ${payment.id} ${view.version}` },
      subject: words(`${kind}.subject`),
      paragraphs: [words(`${kind}.lead`), words(`${kind}.then`)],
      facts: [
        [words('number'), number],
        ...(invoice.orderId === undefined ? [] : [[words('order'), invoice.orderId] as const]),
        [words('paid_by'), writeSumNamed(payment, locale)],
        [words(`${kind}.sum`), sum],
      ],
      link: { url: url + storePath(locale, view), words: words('open') },
      keep: words(`${kind}.keep`),
    });
  }
}

async function queueForOwner(
  tx: Tx,
  { name, url }: LetterSender,
  invoice: StoredInvoice,
  store: Store,
  kind: 'paid' | Undecided['kind'],
): Promise<void> {
  const owner = await ownerOf(tx, store);
  if (!owner) return;
  const { email: to, locale } = owner;
  const words = letterWords(locale, 'invoice', { name, store: store.name, number: invoice.number, sum: sumOf(invoice, locale) });
  const letter: Letter = {
    ...{ to, locale, name, key: `invoice ${invoice.view.id} ${kind === 'late' ? `late ${invoice.view.version}` : kind}` },
    subject: words(`${kind}.subject`),
    paragraphs: [words(`${kind}.lead`)],
    facts: [...factsOf(invoice, locale, words), ...(kind === 'paid' ? [[words('at'), letterTimes(owner)(tx.now)] as const] : [])],
    link: { url: url + storePath(locale, invoice.view), words: words('open') },
    keep: words(`${kind}.keep`),
  };
  mail.queue(tx, letter);
}

/** Returns the owner of a store; undefined if their row was changed by SQL. */
async function ownerOf(tx: Tx, { holderId }: Store): Promise<Holder | undefined> {
  const owner = (await holdersById(tx, [holderId])).get(holderId);
  return owner?.isAltered ? undefined : owner;
}

/** Returns the path of the page on which a store sees an invoice. */
const storePath = (locale: 'en' | 'ru', { id, store }: Invoice): string =>
  sitePath(locale, `dashboard/business/store/invoice?store=${store.id}&id=${id}`);

/** Returns a sum as people write it. */
const written = (terms: Pick<InvoiceTerms, 'currency' | 'digits'>, parts: bigint, locale: 'en' | 'ru'): string =>
  `${writeAmount(sumText(terms, parts), minDigits(terms.digits), locale)}\u00a0${tickerOf(terms.currency)}`;

/** Returns the amount of an invoice, or the credit of a top-up, as people write it. */
const sumOf = ({ view }: StoredInvoice, locale: 'en' | 'ru'): string =>
  written(view.terms, view.terms.amount ?? creditedOf(view), locale);

type Facts = Letter['facts'];

/** Returns the facts that both letters have: number, order, and each payment. */
function factsOf(invoice: StoredInvoice, locale: 'en' | 'ru', words: (key: string) => string): NonNullable<Facts> {
  const payments = invoice.view.payments.filter(({ stage }) => stage === 'credited' || stage === 'unallocated');
  return [
    [words('number'), invoice.number],
    ...(invoice.orderId === undefined ? [] : [[words('order'), invoice.orderId] as const]),
    [words('amount'), sumOf(invoice, locale)],
    ...payments.map((payment) => [words('paid_by'), writeSumNamed(payment, locale)] as const),
  ];
}
