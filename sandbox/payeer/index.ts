import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type Counterpart, type Funding, type Paid, type Payment, Refused, type Where } from '../counterpart.ts';
import { Faults } from '../faults.ts';
import { WebhookSender, type Message, Store, acceptForms } from '../provider/index.ts';
import { mountApi } from './api.ts';
import { Book, type Order, UNITS, centsOf, dateText, textOf } from './book.ts';
import { mountDeskPage } from './desk-page.ts';
import { type Shop, mountMerchant, readForm } from './merchant.ts';
import { signMessage } from './signatures.ts';

interface PayeerOptions {
  readonly folder?: string;
  /** Random numbers for faults; tests replace it. */
  readonly chance?: () => number;
}

/**
 * Counterpart of Payeer: accounts with money, the merchant's pages, its API and its messages. Written from Payeer's documents and
 * its modules for shops; not compared with the live service. Without a folder, nothing is stored.
 */
export async function openPayeer({ folder, chance }: PayeerOptions = {}): Promise<Counterpart> {
  const book = new Book(new Store(folder === undefined ? undefined : join(folder, 'payeer.jsonl')));
  const faults = new Faults(chance);
  const webhooks = new WebhookSender(faults);
  let where: Where | undefined;
  let isSilent = false;
  const shop: Shop = {
    book,
    report: (order) => {
      if (where?.webhook !== undefined && !isSilent) webhooks.send(messageOf(book, order, where.webhook));
    },
    backUrl: (order, outcome) => {
      if (where?.webhook === undefined) return undefined;
      const url = new URL(`/En/payment/${outcome}`, where.pages);
      url.search = new URLSearchParams(webhookFields(book, order)).toString();
      return url.href;
    },
  };
  const currencyOf = (code: string): string => found(code, 'currency');

  return {
    rail: 'payeer',
    currencies: Object.values(UNITS),
    faults,
    environment: () => ({}),
    provider: (given) => {
      where = given;
      return { merchantUrl: `${given.pages}/merchant/`, apiUrl: `${given.base}/api.php`, ...book.cabinet };
    },
    mount: (scope: FastifyInstance) => {
      acceptForms(scope);
      scope.register(async (api) => mountApi(api, book, faults));
      mountMerchant(scope, shop);
      mountDeskPage(scope, shop);
    },
    pay: async (payment) => pay(shop, payment),
    address: async (currency) => {
      currencyOf(currency);
      return book.open();
    },
    balance: async (currency, account) => {
      if (!book.knows(account)) throw new Refused('account', `no account ${account}`);
      return textOf(book.held(account, currencyOf(currency)), currencyOf(currency));
    },
    fund: async ({ currency, amount }: Funding) => {
      book.deposit(book.cabinet.account, currencyOf(currency), centsOf(amount, currencyOf(currency)));
    },
    tricks: {
      /** Stops messages, or sends them again. */
      silence: async ({ on }) => ({ silent: (isSilent = on !== false) }),
      /** Returns a transfer of the desk. */
      return: async ({ id }) => book.cancel(String(id)),
      /** Sends the message of a paid order again. */
      tell: async ({ to }) => {
        const order = book.order(String(to));
        if (!order?.paid) throw new Refused('to', 'no paid order');
        shop.report(order);
        return { told: order.id };
      },
      /** Sets the fee for payments, in hundredths of a percent. */
      fee: async ({ hundredths }) => ({ fee: String((book.shopFee = BigInt(String(hundredths)))) }),
      /** Returns the number of transfers with a reference; more than one is a double payout. */
      transfers: async ({ reference }) => book.operations().filter((one) => one.reference === String(reference)).length,
    },
    close: () => webhooks.close(),
  };
}

function found(code: string, field: string): string {
  const entry = Object.entries(UNITS).find(([, unit]) => unit === code);
  if (!entry) throw new Refused(field, `no currency ${code}`);
  return entry[0];
}

/** Pays by the shop's form, as a payer's browser would, from a fresh account. */
function pay(shop: Shop, { way, amount, currency }: Payment): Paid {
  if (!way) throw new Refused('to', 'Payeer is paid by the form of an order');
  const read = readForm(shop.book, way.fields);
  if ('wrong' in read) throw new Refused('to', read.wrong);
  const { order } = read;
  if (UNITS[order.currency] !== currency || centsOf(order.amount, order.currency) !== centsOf(amount, order.currency)) {
    throw new Refused('amount', `the form asks for ${order.amount} ${order.currency}, and Payeer lets nobody pay another amount`);
  }
  const from = shop.book.open();
  const paid = shop.book.pay(order.id, from);
  if (!order.paid) shop.report(paid);
  return { txid: paid.paid?.operation ?? '', from: paid.paid?.by ?? from };
}

/** Returns the fields of a payment, for Payeer's message and for the return to the shop. */
function webhookFields(book: Book, { id, amount, currency, description, paid }: Order): Record<string, string> {
  const at = dateText(paid?.at ?? Date.now());
  const order = { m_shop: book.cabinet.shop, m_orderid: id, m_amount: amount, m_curr: currency, m_desc: description };
  return {
    ...{ m_operation_id: paid?.operation ?? '', m_operation_ps: '2609', m_operation_date: at, m_operation_pay_date: at },
    ...order,
    m_status: paid ? 'success' : 'fail',
    ...(paid && { client_account: paid.by, transfer_id: paid.operation }),
  };
}

function messageOf(book: Book, order: Order, url: string): Message {
  const form = (secret: string): string => new URLSearchParams(signMessage(webhookFields(book, order), secret)).toString();
  return {
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form(book.cabinet.secret),
    forged: { body: form('a secret of somebody else') },
    isTaken: (_status, text) => text.trim() === `${order.id}|success`,
  };
}
