import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Form, type Store, acceptForms, button, escape, facts, hidden, showPage, table } from '../provider/index.ts';
import { type Bank, Denied, type Transfer, short } from './bank.ts';
import { faultOf } from './merchant.ts';

const NAME = 'WebMoney';
const PAYER = '100000000001';

/** Actions of the pages. */
export interface Acts {
  /** Asks the shop, pays a form from a purse of this WMID, and notifies the shop. */
  pay(form: Form, wmid: string): Promise<Transfer>;
  act(name: string, transfer: Transfer): void;
}

type Show = (reply: FastifyReply, title: string, body: string, status?: number) => FastifyReply;

/** Mounts the pages for a customer's browser at `/lmi/…`, and the overview at `/`. */
export function mountPages(scope: FastifyInstance, bank: Bank, store: Store, acts: Acts): void {
  acceptForms(scope);
  const show: Show = (reply, title, body, status = 200) => showPage(reply, NAME, title, body, status);
  mountPayment(scope, bank, store, acts, show);
  mountOverview(scope, bank, acts, show);
}

function mountPayment(scope: FastifyInstance, bank: Bank, store: Store, acts: Acts, show: Show): void {
  const refuse = (reply: FastifyReply, words: string): FastifyReply =>
    show(reply, 'This payment can’t be made', `<p class="error">${escape(words)}</p>`, 400);
  const billOf = (body: unknown): Form | undefined => store.get<Form>('bills', (body as Form)['bill'] ?? '');

  scope.post('/lmi/payment_utf.asp', async ({ body }, reply) => {
    const form = (body ?? {}) as Form;
    const wrong = faultOf(bank, form);
    if (wrong !== undefined) return refuse(reply, wrong);
    const bill = randomBytes(9).toString('base64url');
    store.put('bills', bill, form);
    return show(reply, 'Log in to pay', `${billList(form)}${loginForm(bill)}${cancelForm(bill)}`);
  });
  scope.post('/lmi/login', async ({ body }, reply) => {
    const form = billOf(body);
    const { wmid = '', bill = '' } = body as Form;
    if (!form || !/^\d{12}$/.test(wmid.trim())) return refuse(reply, 'Log in with a WMID: twelve digits.');
    return show(
      reply,
      'Confirm the payment',
      `${billList(form)}${button('confirm', 'Confirm', { bill, wmid: wmid.trim() })}${cancelForm(bill)}`,
    );
  });
  scope.post('/lmi/confirm', async ({ body }, reply) => {
    const form = billOf(body);
    if (!form) return refuse(reply, 'Nothing is to be paid here.');
    try {
      await acts.pay(form, (body as Form)['wmid'] || PAYER);
    } catch (error) {
      if (error instanceof Denied) return refuse(reply, `The payment was refused: ${error.message}.`);
      throw error;
    }
    return leave(reply, form['LMI_SUCCESS_URL']) ?? show(reply, 'Paid', '<p>The shop has been told.</p>');
  });
  scope.post('/lmi/cancel', async ({ body }, reply) => {
    const url = billOf(body)?.['LMI_FAIL_URL'];
    return leave(reply, url) ?? show(reply, 'Cancelled', '<p>Nothing was paid.</p>');
  });
}

function mountOverview(scope: FastifyInstance, bank: Bank, acts: Acts, show: Show): void {
  scope.get('/', async (_request, reply) => {
    const purses = bank.pursesOf(bank.desk.wmid).map(({ id, parts }): [string, string] => [id, short(BigInt(parts))]);
    const rows = bank.transfers().toReversed().slice(0, 100).map(transferRow);
    return show(
      reply,
      'The desk’s purses',
      `${facts([['WMID', bank.desk.wmid], ...purses])}${table(['What', 'Amount', 'State', ''], rows)}`,
    );
  });
  scope.post('/act', async ({ body }, reply) => {
    const { act = '', key = '' } = body as Form;
    const transfer = bank.transfer(key);
    if (transfer) acts.act(act, transfer);
    return reply.code(303).header('location', './').send();
  });
}

const leave = (reply: FastifyReply, url: string | undefined): FastifyReply | undefined =>
  url !== undefined && /^https?:\/\//.test(url) ? reply.code(303).header('location', url).send() : undefined;

function billList(form: Form): string {
  const words = Buffer.from(form['LMI_PAYMENT_DESC_BASE64'] ?? '', 'base64').toString('utf8') || form['LMI_PAYMENT_DESC'];
  return facts([
    ['Shop’s purse', form['LMI_PAYEE_PURSE'] ?? ''],
    ['Amount', `${form['LMI_PAYMENT_AMOUNT'] ?? ''}, and 0.8 %`],
    ['Number', form['LMI_PAYMENT_NO'] ?? ''],
    ['For', words ?? ''],
  ]);
}

const loginForm = (bill: string): string =>
  `<form method="post" action="login">${hidden({ bill })}
<label>WMID<input name="wmid" inputmode="numeric" value="${PAYER}" required></label>
<label>Password<input name="password" type="password" value="sandbox" required></label><button>Log in</button></form>`;

const cancelForm = (bill: string): string => button('cancel', 'Cancel', { bill });

function transferRow({ id: key, amount, to, state, number, description }: Transfer): string[] {
  const act = (name: string, words: string): string => button('act', words, { act: name, key });
  const acts = `${state === 'held' ? act('release', 'Release') : ''}${state === 'returned' ? '' : act('return', 'Return')}`;
  const what = number === undefined ? `transfer ${description}` : `payment ${number}`;
  return [escape(what), `${amount} ${to.charAt(0)}`, state, acts];
}
