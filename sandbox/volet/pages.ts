import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Form, type Store, acceptForms, button, escape, facts, hidden, showPage, table } from '../provider/index.ts';
import { type Bank, Denied, type Movement, written } from './bank.ts';
import { faultOf } from './sci.ts';

const NAME = 'Volet';
const PAYER = 'payer@volet.example';

/** Actions of the pages. */
export interface Acts {
  /** Pays a shop's form from a wallet of the payer, which first receives the amount, and notifies the shop. */
  pay(form: Form, email: string): Movement;
  act(name: string, movement: Movement): void;
}

/** Mounts the pages for a customer's browser at `/sci/…`, and the overview at `/`. */
export function mountPages(scope: FastifyInstance, bank: Bank, store: Store, acts: Acts): void {
  acceptForms(scope);
  const show = (reply: FastifyReply, title: string, body: string, status = 200): FastifyReply =>
    showPage(reply, NAME, title, body, status);
  const refuse = (reply: FastifyReply, words: string): FastifyReply =>
    show(reply, 'This payment can’t be made', `<p class="error">${escape(words)}</p>`, 400);
  const billOf = (form: Form): Form | undefined => store.get<Form>('bills', form['bill'] ?? '');

  const begin = (form: Form, reply: FastifyReply): FastifyReply => {
    const wrong = faultOf({ desk: bank.desk, paymentOf: (id) => bank.paymentOf(id) }, form);
    if (wrong !== undefined) return refuse(reply, wrong);
    const bill = randomBytes(9).toString('base64url');
    store.put('bills', bill, form);
    return show(reply, 'Log in to pay', `${billList(form)}${loginForm(bill)}${cancelForm(bill)}`);
  };
  scope.post('/sci/', async ({ body }, reply) => begin((body ?? {}) as Form, reply));
  scope.get('/sci/', async ({ query }, reply) => begin(query as Form, reply));
  scope.post('/sci/login', async ({ body }, reply) => {
    const form = billOf(body as Form);
    const email = ((body as Form)['email'] ?? '').trim().toLowerCase();
    if (!form || !/^[^@\s]+@[^@\s]+$/.test(email)) return refuse(reply, 'Log in with an e-mail.');
    const bill = (body as Form)['bill'] ?? '';
    return show(
      reply,
      'Confirm the payment',
      `${billList(form)}${button('confirm', 'Confirm', { bill, email })}${cancelForm(bill)}`,
    );
  });
  scope.post('/sci/confirm', async ({ body }, reply) => {
    const form = billOf(body as Form);
    if (!form) return refuse(reply, 'Nothing is to be paid here.');
    try {
      acts.pay(form, (body as Form)['email'] || PAYER);
    } catch (error) {
      if (error instanceof Denied) return refuse(reply, `The payment was refused: ${error.type}.`);
      throw error;
    }
    return leave(reply, form['ac_success_url']) ?? show(reply, 'Paid', '<p>The shop has been told.</p>');
  });
  scope.post('/sci/cancel', async ({ body }, reply) => {
    const url = billOf(body as Form)?.['ac_fail_url'];
    return leave(reply, url) ?? show(reply, 'Cancelled', '<p>Nothing was paid.</p>');
  });
  mountOverview(scope, bank, acts, show);
}

function mountOverview(
  scope: FastifyInstance,
  bank: Bank,
  acts: Acts,
  show: (reply: FastifyReply, title: string, body: string) => FastifyReply,
): void {
  scope.get('/', async (_request, reply) => {
    const wallets = bank
      .walletsOf(bank.desk.email)
      .map(({ id, currency, parts }): [string, string] => [id, written(currency, BigInt(parts))]);
    const rows = bank.movements().toReversed().slice(0, 100).map(movementRow);
    return show(reply, 'The desk’s account', `${facts(wallets)}${table(['What', 'Amount', 'Status', ''], rows)}`);
  });
  scope.post('/act', async ({ body }, reply) => {
    const { act = '', key = '' } = body as Form;
    const movement = bank.movement(key);
    if (movement) acts.act(act, movement);
    return reply.code(303).header('location', './').send();
  });
}

const leave = (reply: FastifyReply, url: string | undefined): FastifyReply | undefined =>
  url !== undefined && /^https?:\/\//.test(url) ? reply.code(303).header('location', url).send() : undefined;

const billList = (form: Form): string =>
  facts([
    ['Shop', form['ac_sci_name'] ?? ''],
    ['Amount', `${form['ac_amount'] ?? ''} ${form['ac_currency'] ?? ''}`],
    ['Order', form['ac_comments'] || form['ac_order_id'] || ''],
  ]);

const loginForm = (bill: string): string =>
  `<form method="post" action="login">${hidden({ bill })}
<label>E-mail<input name="email" type="email" value="${PAYER}" required></label>
<label>Password<input name="password" type="password" value="sandbox" required></label><button>Log in</button></form>`;

const cancelForm = (bill: string): string => button('cancel', 'Cancel', { bill });

function movementRow({ id: key, amount, currency, status, orderId, comment }: Movement): string[] {
  const act = (name: string, words: string): string => button('act', words, { act: name, key });
  const undo = act('cancel', orderId === undefined ? 'Return' : 'Take back');
  const acts = `${status === 'PENDING' ? act('release', 'Release') : ''}${status === 'CANCELED' ? '' : undo}`;
  return [escape(orderId === undefined ? `send ${comment}` : `order ${orderId}`), `${amount} ${currency}`, status, acts];
}
