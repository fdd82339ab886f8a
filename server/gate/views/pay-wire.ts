// An invoice as its buyer sees it: with the methods by which it can be paid, and nothing that concerns the store alone.

import { type Output, type Routes, say } from '@kurs/contract';
import { format, money } from '@kurs/money';
import { accounts, balances } from '../../ledger/index.ts';
import { payKindOf } from '../../payments/index.ts';
import { listedCurrency } from '../../pricing/index.ts';
import type { Db, Statements, Tokens } from '../../platform/index.ts';
import { methodContext } from '../actions/choose-method.ts';
import { type Invoice, creditedOf, dueOf, hasPayer, isPayable, isUnfinished, pendingOf, wantedOf } from '../invoices/invoice.ts';
import { type Method, byCost, methodOf } from '../methods/methods.ts';
import { minutesUntilFinal } from '../methods/usual-minutes.ts';
import { walletMethodOf, walletUnits } from '../methods/wallet-method.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import type { Store } from '../stores/store.ts';
import { isOnSites } from '../stores/require-on-sites.ts';
import { openStore } from '../stores/store-rows.ts';
import { storeForBuyers } from '../stores/views.ts';
import { sumText } from '../wire/sum-text.ts';
import { confirmationsOfInvoice, sumOfConfirmations } from './confirmations.ts';
import { hasLatePayment } from './late-payments.ts';
import { currentOptionWire } from './option-wire.ts';
import { paymentWire } from '../wire/payment-wire.ts';
import { isPayer, payersOrders } from './payer-orders.ts';

type PayWire = Output<Routes['paymentInvoice']>;
type MethodWire = PayWire['methods'][number];

/** The caller: language, and the account if they are signed in. */
export interface Buyer {
  readonly locale: 'en' | 'ru';
  readonly holderId?: string | undefined;
  /** The payer's secret, as the caller gave it. */
  readonly secret?: string | undefined;
}

/** Returns an invoice in the form of the API for its buyer. */
export async function payWire(
  { db, tokens }: { readonly db: Db; readonly tokens: Tokens },
  stored: StoredInvoice,
  buyer: Buyer,
): Promise<PayWire> {
  const { view, number, createdAt, orderId, email, details } = stored;
  const { terms } = view;
  const [store, confirmations, now] = await Promise.all([
    openStore(db, view.store.id),
    confirmationsOfInvoice(db, view),
    db.now(),
  ]);
  const [due, isOpen, option] = [dueOf(view), isPayable(view, now), currentOptionWire(view, now)];
  const sum = sumOfConfirmations(confirmations);
  const orders = await payersOrders({ db, tokens }, view, buyer.secret);
  return {
    ...{ id: view.id, number, state: view.state, store: storeForBuyers(store), currency: terms.currency },
    ...(view.mark && { mark: view.mark }),
    ...(terms.amount !== undefined && { amount: sumText(terms, terms.amount) }),
    ...{ credited: sumText(terms, creditedOf(view)), pending: sumText(terms, pendingOf(view)) },
    ...(due !== undefined && { due: sumText(terms, due) }),
    ...(terms.stated !== undefined && { stated: sumText(terms, terms.stated) }),
    lines: details.lines.map((line) => ({ ...line })),
    ...(details.tax !== undefined && { tax: details.tax }),
    ...(details.description !== undefined && { description: details.description }),
    ...(orderId !== undefined && { order_id: orderId }),
    ...{ created_at: createdAt.toISOString(), expires_at: view.expiresAt.toISOString(), test: terms.isTest },
    chosen_by_store: view.isChosenByStore === true && !hasPayer(view),
    has_email: email !== undefined && !(view.isEmailOfLink && isPayer(tokens, view.id, buyer.secret)),
    ...(await returnWire(db, store, details.returnUrl)),
    costs_bearer: terms.isBorneByStore ? 'store' : 'buyer',
    methods: isOpen ? await methodsWire(db, view, { store, now, locale: buyer.locale }) : [],
    ...(buyer.holderId !== undefined && isOpen && { wallets: await walletsWire(db, view, buyer.holderId) }),
    ...(option && { option }),
    payments: view.payments.map((payment) => {
      const order = orders.get(payment.id);
      return { ...paymentWire(terms, payment, confirmations), ...(order && { order }) };
    }),
    dropped: isUnfinished(view) && view.payments.some(({ stage }) => stage === 'dropped'),
    late: await hasLatePayment(db, view, now),
    version: view.version,
    ...(sum !== undefined && { confirmations: sum }),
  };
}

/** Returns the address to which the buyer returns, if it still leads to the store's web sites: one may be struck at any time. */
async function returnWire(db: Statements, store: Store, url: string | undefined): Promise<Pick<PayWire, 'return_url'>> {
  return url !== undefined && (await isOnSites(db, store, url)) ? { return_url: url } : {};
}

async function methodsWire(
  db: Db,
  view: Invoice,
  { store, now, locale }: { readonly store: Store; readonly now: Date } & Pick<Buyer, 'locale'>,
): Promise<MethodWire[]> {
  const { terms } = view;
  const given = await methodContext(db, { store, terms }, wantedOf(view), now);
  const methods = terms.methods.flatMap((code) => methodOf(terms, code, given) ?? []);
  const minutes = minutesUntilFinal(db);
  return byCost(methods).map((one) => {
    const usual = minutes.get(one.info.code);
    return { ...methodWire(view, one, locale), ...(usual !== undefined && { minutes: usual }) };
  });
}

/** Returns a method of an invoice in the form of the API. */
export function methodWire(
  { terms }: Pick<Invoice, 'terms'>,
  { info, price, parts, cost, least, closed }: Method,
  locale: 'en' | 'ru',
): MethodWire {
  const { code, network, unit, payDigits } = info;
  const text = (sum: bigint): string => format(money(unit, sum), payDigits);
  const listed = listedCurrency(code);
  const kind = payKindOf(code) === 'redirect' ? 'redirect' : 'address';
  const fields = kind === 'redirect' ? (info.payerFields ?? []) : [];
  return {
    ...{ method: code, name: listed?.name ?? code, network, currency: code, kind },
    ...(parts !== undefined && { amount: text(parts) }),
    ...(cost !== undefined && !price?.isBorneByStore && { cost: sumText(terms, cost) }),
    ...(least !== undefined && { least: text(least) }),
    confirmations: kind === 'address' ? (listed?.confirmations ?? '') : '',
    payer_fields: fields.map((field) => ({ ...field, label: say(locale, field.label, { network }) ?? field.label })),
    ...(closed && { closed }),
  };
}

/** Returns the caller's wallets that have money of a method's unit, with the sum that pays what is due. */
async function walletsWire(db: Statements, view: Invoice, holderId: string): Promise<NonNullable<PayWire['wallets']>> {
  const { terms } = view;
  const units = terms.isTest ? [] : walletUnits(terms);
  const there = await balances(
    db,
    units.map((unit) => accounts.wallet(holderId, unit)),
  );
  return units.flatMap((unit, at): NonNullable<PayWire['wallets']> => {
    const available = there[at] ?? 0n;
    if (available <= 0n) return [];
    const method = walletMethodOf(terms, unit, wantedOf(view));
    const digits = typeof method === 'string' ? 0 : method.info.payDigits;
    const text = (sum: bigint): string => format(money(unit, sum), digits);
    if (typeof method === 'string') return [{ unit, available: text(available), closed: method }];
    return [{ unit, available: text(available), ...(method.parts !== undefined && { amount: text(method.parts) }) }];
  });
}
