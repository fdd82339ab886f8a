import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Store, escape, page } from '../provider/index.ts';
import { type Bank, Denied, type Movement } from './bank.ts';
import { type Form, faultOf } from './sci.ts';

const NAME = 'Volet';
const PAYER = 'payer@volet.example';

/** What the pages do to the provider beside showing it. */
export interface Acts {
  /** Pays a shop's form from a wallet of the payer's with enough on it, and tells the shop. */
  pay(form: Form, email: string): Movement;
  act(name: string, movement: Movement): void;
}

/** The pages of a customer's browser at `/sci/…`, and the one for people at `/`. */
export function mountPages(scope: FastifyInstance, bank: Bank, store: Store, acts: Acts): void {
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );
  const show = (reply: FastifyReply, title: string, body: string, status = 200): FastifyReply =>
    reply
      .code(status)
      .type('text/html; charset=utf-8')
      .send(page(NAME, title, body));
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
    return show(reply, 'Confirm the payment', `${billList(form)}${confirmForm(bill, email)}${cancelForm(bill)}`);
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
      .map(({ id, parts }) => `<dt>${id}</dt><dd>${(BigInt(parts) / 100n).toString()}</dd>`);
    const rows = bank.movements().toReversed().slice(0, 100).map(movementRow);
    const table = `<table><tr><th>What</th><th>Amount</th><th>Status</th><th></th></tr>${rows.join('')}</table>`;
    return show(reply, 'The desk’s account', `<dl>${wallets.join('')}</dl>${table}`);
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
  `<dl><dt>Shop</dt><dd>${escape(form['ac_sci_name'] ?? '')}</dd>
<dt>Amount</dt><dd>${escape(form['ac_amount'] ?? '')} ${escape(form['ac_currency'] ?? '')}</dd>
<dt>Order</dt><dd>${escape(form['ac_comments'] || form['ac_order_id'] || '')}</dd></dl>`;

const loginForm = (bill: string): string =>
  `<form method="post" action="login"><input type="hidden" name="bill" value="${bill}">
<label>E-mail<input name="email" type="email" value="${PAYER}" required></label>
<label>Password<input name="password" type="password" value="sandbox" required></label><button>Log in</button></form>`;

const confirmForm = (bill: string, email: string): string =>
  `<form method="post" action="confirm"><input type="hidden" name="bill" value="${bill}">
<input type="hidden" name="email" value="${escape(email)}"><button>Confirm</button></form>`;

const cancelForm = (bill: string): string =>
  `<form method="post" action="cancel"><input type="hidden" name="bill" value="${bill}"><button>Cancel</button></form>`;

function movementRow({ id, amount, currency, status, orderId, comment }: Movement): string {
  const acts = [...(status === 'PENDING' ? ['release'] : []), ...(status === 'CANCELED' ? [] : ['cancel'])];
  const buttons = acts.map(
    (act) => `<form method="post" action="act"><input type="hidden" name="key" value="${id}">
<button name="act" value="${act}">${act === 'release' ? 'Release' : orderId === undefined ? 'Return' : 'Take back'}</button></form>`,
  );
  const what = orderId === undefined ? `send ${comment}` : `order ${orderId}`;
  return `<tr><td>${escape(what)}</td><td>${amount} ${currency}</td><td>${status}</td><td>${buttons.join('')}</td></tr>`;
}
