import type { FastifyInstance } from 'fastify';
import { type Form, button, escape, showPage, table } from '../provider/index.ts';
import { UNITS, textOf } from './book.ts';
import type { Shop } from './merchant.ts';

const SHOWN = 50;

/** Mounts the overview for people: payments and transfers, with actions on each. */
export function mountDeskPage(scope: FastifyInstance, { book, report }: Shop): void {
  scope.get('/', async (_request, reply) => {
    const { account } = book.cabinet;
    const held = Object.keys(UNITS).map((currency) => `${textOf(book.held(account, currency), currency)} ${currency}`);
    const orders = book.orders().slice(-SHOWN).toReversed();
    const sent = book.operations().filter(({ from, type }) => from === account && type === 'transfer');
    const payments = orders.map((order) => [
      escape(`${order.id} · ${order.amount} ${order.currency}`),
      order.paid ? `paid by ${escape(order.paid.by)}${button('tell', 'Send the message again', { order: order.id })}` : 'unpaid',
    ]);
    const transfers = sent
      .slice(-SHOWN)
      .toReversed()
      .map(({ id, to, credited, currency, status }) => [
        escape(`${id} · ${textOf(BigInt(credited), currency)} ${currency} to ${to}`),
        status === 'success' ? `done${button('return', 'Take back', { id })}` : 'taken back',
      ]);
    const body = `<p>The desk's account ${escape(account)}: ${escape(held.join(', '))}</p>
<h2>Payments</h2>${table(['Order', 'Status'], payments)}<h2>Transfers</h2>${table(['Transfer', 'Status'], transfers)}`;
    return showPage(reply, 'Payeer', 'Payments and transfers', body);
  });
  scope.post<{ Body: Form }>('/tell', async ({ body }, reply) => {
    const order = book.order(body['order'] ?? '');
    if (order?.paid) report(order);
    return reply.redirect('./', 303);
  });
  scope.post<{ Body: Form }>('/return', async ({ body }, reply) => {
    book.cancel(body['id'] ?? '');
    return reply.redirect('./', 303);
  });
}
