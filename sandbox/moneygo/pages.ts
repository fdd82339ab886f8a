import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Form, acceptForms, button, escape, facts, showPage, table } from '../provider/index.ts';
import { type Bank, type Bill, Denied, type Movement } from './bank.ts';

const NAME = 'MoneyGo';

/** Actions of the pages. */
export interface Acts {
  pay(bill: Bill): Movement;
  undo(movement: Movement): void;
}

/** Mounts a payer's pages at `/pay/…`, and the overview at `/`. */
export function mountPages(scope: FastifyInstance, bank: Bank, acts: Acts): void {
  acceptForms(scope);
  const show = (reply: FastifyReply, title: string, body: string, status = 200): FastifyReply =>
    showPage(reply, NAME, title, body, status);
  const refuse = (reply: FastifyReply, words: string): FastifyReply =>
    show(reply, 'This payment can’t be made', `<p class="error">${escape(words)}</p>`, 400);
  type Key = { Params: { key: string } };

  scope.get<Key>('/pay/:key', async ({ params: { key } }, reply) => {
    const bill = bank.billOf(key);
    if (!bill) return refuse(reply, 'There is no such payment.');
    return show(reply, 'Log in to pay', `${billList(bill)}${loginForm(bill)}${button(`${key}/cancel`, 'Cancel')}`);
  });
  scope.post<Key>('/pay/:key/login', async ({ params: { key } }, reply) => {
    const bill = bank.billOf(key);
    if (!bill) return refuse(reply, 'There is no such payment.');
    return show(reply, 'Confirm the payment', `${billList(bill)}${button('confirm', 'Confirm')}${button('cancel', 'Cancel')}`);
  });
  scope.post<Key>('/pay/:key/confirm', async ({ params: { key } }, reply) => {
    const bill = bank.billOf(key);
    if (!bill) return refuse(reply, 'There is no such payment.');
    try {
      acts.pay(bill);
    } catch (error) {
      if (error instanceof Denied) return refuse(reply, `${error.message}.`);
      throw error;
    }
    return reply.code(303).header('location', bill.success_url).send();
  });
  scope.post<Key>('/pay/:key/cancel', async ({ params: { key } }, reply) => {
    const bill = bank.billOf(key);
    return bill ? reply.code(303).header('location', bill.cancel_url).send() : refuse(reply, 'There is no such payment.');
  });
  scope.get('/', async (_request, reply) => {
    const wallets = bank.deskWallets().map(({ number, parts }): [string, string] => [number, `${BigInt(parts) / 100n}`]);
    const rows = bank.movements().toReversed().slice(0, 100).map(movementRow);
    return show(reply, 'The desk’s wallets', `${facts(wallets)}${table(['What', 'Amount', 'Status', ''], rows)}`);
  });
  scope.post('/undo', async ({ body }, reply) => {
    const movement = bank.movement((body as Form)['key'] ?? '');
    if (movement) acts.undo(movement);
    return reply.code(303).header('location', './').send();
  });
}

const billList = ({ wallet_from: from, wallet_to: to, amount, id }: Bill): string =>
  facts([
    ['From', from],
    ['To', to],
    ['Amount', amount],
    ['Order', id],
  ]);

const loginForm = ({ key, wallet_from: wallet }: Bill): string =>
  `<form method="post" action="${key}/login"><label>Wallet<input name="wallet" value="${escape(wallet)}" readonly></label>
<label>Password<input name="password" type="password" value="sandbox" required></label><button>Log in</button></form>`;

function movementRow({ id, reference, amount, currency, status, bill, isCancelled }: Movement): string[] {
  const isUndone = status === 'FAIL' || isCancelled === true;
  const what = bill === undefined ? `transfer ${reference}` : `payment ${reference}`;
  const act = isUndone ? '' : button('undo', bill === undefined ? 'Return' : 'Take back', { key: id });
  return [escape(what), `${amount} ${currency}`, isCancelled === true ? 'cancelled' : status, act];
}
