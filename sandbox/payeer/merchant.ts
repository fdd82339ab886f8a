import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Form, button, escape, facts, hidden, showPage } from '../provider/index.ts';
import { type Book, type Order, UNITS } from './book.ts';
import { signForm } from './signatures.ts';

/** Dependencies of the payer's pages. */
export interface Shop {
  readonly book: Book;
  /** Notifies the shop of a payment. */
  report(order: Order): void;
  /** Returns the address that the shop's owner configured for returning browsers; undefined without a product. */
  backUrl(order: Order, outcome: 'success' | 'fail'): string | undefined;
}

/** Prefilled name and password of the sandbox's payer. */
const LOGIN = { login: 'payer', password: 'sandbox' };

/** Returns the payment that a shop's form requests, or the form's error. */
export function readForm(book: Book, form: Form): { order: Order } | { wrong: string } {
  const { m_shop: shop, m_orderid: id = '', m_amount: amount = '', m_curr: currency = '', m_desc: description = '' } = form;
  if (shop !== book.cabinet.shop) return { wrong: 'There is no such shop' };
  if (!(currency in UNITS)) return { wrong: 'Currency is not supported' };
  if (!/^[A-Za-z0-9_-]{1,32}$/.test(id)) return { wrong: 'Invalid order number' };
  if (!/^\d{1,9}\.\d{2}$/.test(amount) || /^[0.]*$/.test(amount)) return { wrong: 'Invalid amount' };
  if (!isEqual(form['m_sign'] ?? '', signForm(form, book.cabinet.secret))) return { wrong: 'Invalid sign' };
  const order = book.ask({ id, amount, currency, description });
  const isSame = order.amount === amount && order.currency === currency;
  return isSame ? { order } : { wrong: 'This order number was used for another payment' };
}

const isEqual = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a.padEnd(64).slice(0, 64)), Buffer.from(b.padEnd(64).slice(0, 64)));

/** Mounts the pages on which a payer logs in, and pays or cancels. */
export function mountMerchant(scope: FastifyInstance, shop: Shop): void {
  const { book } = shop;
  /** Orders of logged-in payers, by the session in their page. */
  const sessions = new Map<string, string>();

  const begin = (form: Form, reply: FastifyReply): FastifyReply => {
    const read = readForm(book, form);
    if ('wrong' in read) return showError(reply, read.wrong);
    return showPage(reply, 'Payeer', 'Payment', `${termsOf(read.order)}${loginForm(read.order)}`);
  };
  scope.get<{ Querystring: Form }>('/merchant/', async ({ query }, reply) => begin(query, reply));
  scope.post<{ Body: Form }>('/merchant/', async ({ body }, reply) => begin(body, reply));

  scope.post<{ Body: Form }>('/merchant/login', async ({ body }, reply) => {
    const order = book.order(body['order'] ?? '');
    if (!order) return showError(reply, 'There is no such payment');
    if (body['login'] !== LOGIN.login || body['password'] !== LOGIN.password) {
      return showPage(reply, 'Payeer', 'Payment', `${error('Wrong login or password')}${termsOf(order)}${loginForm(order)}`, 403);
    }
    const session = randomBytes(12).toString('hex');
    sessions.set(session, order.id);
    const buttons = button('confirm', 'Pay', { session }) + button('cancel', 'Cancel', { session });
    const from = facts([['From your account', book.payer]]);
    return showPage(reply, 'Payeer', 'Confirm', `${termsOf(order)}${from}${order.paid ? paidWords : buttons}`);
  });

  const decided = (session: string | undefined): Order | undefined => book.order(sessions.get(session ?? '') ?? '');
  scope.post<{ Body: Form }>('/merchant/confirm', async ({ body }, reply) => {
    const order = decided(body['session']);
    if (!order) return showError(reply, 'Please log in again');
    const paid = book.pay(order.id, book.payer);
    if (!order.paid) shop.report(paid);
    const back = shop.backUrl(paid, 'success');
    return back === undefined ? showPage(reply, 'Payeer', 'Paid', termsOf(paid)) : reply.redirect(back, 303);
  });
  scope.post<{ Body: Form }>('/merchant/cancel', async ({ body }, reply) => {
    const order = decided(body['session']);
    if (!order) return showError(reply, 'Please log in again');
    const back = shop.backUrl(order, 'fail');
    return back === undefined ? showPage(reply, 'Payeer', 'Cancelled', termsOf(order)) : reply.redirect(back, 303);
  });
}

const paidWords = '<p>This order is paid.</p>';
const error = (words: string): string => `<p class="error">${escape(words)}</p>`;
const showError = (reply: FastifyReply, words: string): FastifyReply => showPage(reply, 'Payeer', 'Error', error(words), 400);

const termsOf = ({ id, amount, currency, description }: Order): string =>
  facts([
    ['Amount', `${amount} ${currency}`],
    ['For', Buffer.from(description, 'base64').toString('utf8')],
    ['Order', id],
  ]);

/** Returns the login form. Its address is relative to `/merchant/`, to which the shop's form was posted. */
const loginForm = ({ id }: Order): string => `<form method="post" action="login">${hidden({ order: id })}
<label>Login<input name="login" value="${LOGIN.login}" autocomplete="off"></label>
<label>Password<input name="password" type="password" value="${LOGIN.password}" autocomplete="off"></label>
<button>Log in</button></form>`;
