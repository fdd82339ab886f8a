import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Form, button, escape, facts, hidden, showPage, table } from '../provider/index.ts';
import type { Side } from './answers.ts';
import type { Batch, Capture, Funding, Order } from './book.ts';

const NAME = 'PayPal';
const SHOWN = 50;
/** Cookie with the address of the payer's account, so that a browser stays logged in. A shop checks which account pays. */
const LOGGED_IN = 'paypal_payer';

/** Mounts the payer's pages of an order, and the overview with actions for people. */
export function mountPages(scope: FastifyInstance, side: Side): void {
  mountCheckout(scope, side);
  mountDesk(scope, side);
}

function mountCheckout(scope: FastifyInstance, { book, acts }: Side): void {
  const show = (reply: FastifyReply, title: string, body: string, status = 200): FastifyReply =>
    showPage(reply, NAME, title, body, status);
  /** Returns the order that a form or link names if it can be paid; otherwise shows the reason. */
  const payable = (token: string | undefined, reply: FastifyReply): Order | undefined => {
    const order = book.order(token ?? '');
    if (order?.status === 'PAYER_ACTION_REQUIRED') return order;
    const why = order ? 'This payment was made or given up already.' : 'There is no such payment.';
    show(reply, 'Nothing to pay', `<p class="error">${why}</p>`, order ? 409 : 404);
    return undefined;
  };
  const what = ({ unit, id }: Order): string =>
    facts([
      ['To', book.cabinet.email],
      ['For', unit.description ?? unit.reference_id],
      ['Amount', `${unit.amount.value} ${unit.amount.currency_code}`],
      ['Order', id],
    ]);

  scope.get<{ Querystring: { token?: string } }>('/checkoutnow', async ({ query, headers }, reply) => {
    const order = payable(query.token, reply);
    if (!order) return reply;
    const { email } = book.account(loggedIn(headers.cookie)) ?? book.open();
    return show(
      reply,
      'Log in',
      `${what(order)}<form method="post" action="review">${hidden({ token: order.id })}
<label>E-mail<input name="email" type="email" value="${escape(email)}" required></label>
<label>Password<input name="password" type="password" value="sandbox" required></label><button>Log in</button></form>
${button('cancel', 'Cancel and return', { token: order.id })}`,
    );
  });
  scope.post<{ Body: Form }>('/review', async ({ body }, reply) => {
    const order = payable(body['token'], reply);
    if (!order) return reply;
    const account = book.account(body['email'] ?? '');
    if (!account || account.email === book.cabinet.email)
      return show(reply, 'Log in', '<p class="error">There is no such payer.</p>', 403);
    const pay = (words: string, funding: string): string =>
      button('approve', words, { token: order.id, email: account.email, funding });
    return show(
      reply,
      'Pay',
      `${what(order)}<p>${escape(account.email)}</p>${pay('Pay now', 'balance')}${order.isImmediate ? '' : pay('Pay by eCheck (arrives later)', 'echeck')}${pay('Pay, held by PayPal for review', 'review')}${pay('Pay with a card that is declined', 'declined')}${button('cancel', 'Cancel and return', { token: order.id })}`,
    );
  });
  scope.post<{ Body: Form }>('/approve', async ({ body }, reply) => {
    const order = payable(body['token'], reply);
    if (!order) return reply;
    const account = book.account(body['email'] ?? '');
    const funding = body['funding'];
    if (!account || !isFunding(funding) || (funding === 'echeck' && order.isImmediate)) {
      return show(reply, 'Log in', '<p class="error">Begin again.</p>', 403);
    }
    acts.approve(order, account.email, funding);
    reply.header('set-cookie', `${LOGGED_IN}=${encodeURIComponent(account.email)}; Path=/; HttpOnly; SameSite=Lax`);
    return leave(reply, order.returnUrl, { token: order.id, PayerID: account.id });
  });
  scope.post<{ Body: Form }>('/cancel', async ({ body }, reply) => {
    const order = payable(body['token'], reply);
    return order ? leave(reply, order.cancelUrl, { token: order.id }) : reply;
  });
}

const loggedIn = (cookies = ''): string => decodeURIComponent(new RegExp(`\\b${LOGGED_IN}=([\\w.%-]+)`).exec(cookies)?.[1] ?? '');

const isFunding = (text: string | undefined): text is Funding =>
  text === 'balance' || text === 'echeck' || text === 'review' || text === 'declined';

/** Redirects to the shop, with PayPal's parameters. */
function leave(reply: FastifyReply, address: string, more: Readonly<Record<string, string>>): FastifyReply {
  const url = URL.parse(address);
  if (!url) return showPage(reply, NAME, 'Done', '<p>You can close this page.</p>');
  for (const [name, value] of Object.entries(more)) url.searchParams.set(name, value);
  return reply.redirect(url.href, 303);
}

/** Actions by hand on payments and payouts. */
const CAPTURE_ACTS: Readonly<
  Record<string, { words: string; fits: (one: Capture) => boolean; act: (side: Side, one: Capture) => unknown }>
> = {
  complete: { words: 'It arrives', fits: isPending, act: ({ acts }, one) => acts.settle(one, true) },
  deny: { words: 'It bounces', fits: isPending, act: ({ acts }, one) => acts.settle(one, false) },
  reverse: { words: 'Chargeback', fits: isPaid, act: ({ acts }, one) => acts.reverse(one) },
  refund: { words: 'Refund by hand at PayPal', fits: isPaid, act: ({ acts }, one) => acts.refund(one, acts.left(one)) },
  dispute: { words: 'Open a dispute', fits: isPaid, act: ({ acts }, one) => acts.dispute(one) },
  withdraw: {
    words: 'The payer withdraws the dispute',
    fits: isPaid,
    act: ({ acts }, one) => acts.withdraw(one),
  },
  win: { words: 'The dispute is won', fits: isReversed, act: ({ acts }, one) => acts.win(one) },
  charge: { words: 'Charge 20.00 for the dispute', fits: isReversed, act: ({ acts }, one) => acts.charge(one, 2_000n) },
};
const PAYOUT_ACTS: Readonly<
  Record<string, { words: string; fits: (one: Batch) => boolean; act: (side: Side, one: Batch) => unknown }>
> = {
  claim: { words: 'The receiver claims it', fits: isOpen, act: ({ acts }, one) => acts.become(one, 'SUCCESS') },
  return: { words: 'Return', fits: isOpen, act: ({ acts }, one) => acts.become(one, 'RETURNED') },
  block: { words: 'Block', fits: isOpen, act: ({ acts }, one) => acts.become(one, 'BLOCKED') },
  reverse: {
    words: 'Reverse',
    fits: ({ itemStatus }) => itemStatus === 'SUCCESS',
    act: ({ acts }, one) => acts.become(one, 'REVERSED'),
  },
};

function isPending({ status }: Capture): boolean {
  return status === 'PENDING';
}
function isPaid({ status }: Capture): boolean {
  return status === 'COMPLETED' || status === 'PARTIALLY_REFUNDED';
}
function isReversed({ isReversed: is }: Capture): boolean {
  return is === true;
}
function isOpen({ itemStatus }: Batch): boolean {
  return itemStatus === 'UNCLAIMED' || itemStatus === 'ONHOLD' || itemStatus === 'PENDING';
}

function mountDesk(scope: FastifyInstance, side: Side): void {
  const { book } = side;
  scope.get('/', async (_request, reply) => {
    const buttons = <T extends { id: string }>(
      folder: string,
      acts: Readonly<Record<string, { words: string; fits: (one: T) => boolean }>>,
      one: T,
    ): string =>
      Object.entries(acts)
        .filter(([, { fits }]) => fits(one))
        .map(([name, { words }]) => button(`${folder}/${name}`, words, { id: one.id }))
        .join('');
    const captures = book.captures().slice(-SHOWN).toReversed();
    const batches = book.batches().slice(-SHOWN).toReversed();
    const { USD, EUR } = { USD: side.acts.heldByDesk('USD'), EUR: side.acts.heldByDesk('EUR') };
    const body = `<p>${escape(book.cabinet.email)}: ${USD} USD, ${EUR} EUR</p><h2>Payments</h2>${table(
      ['Payment', 'Status'],
      captures.map((one) => [
        escape(`${one.customId ?? one.id} · ${one.value} ${one.code}`),
        escape(one.isReversed ? 'REVERSED' : one.status) + buttons('capture', CAPTURE_ACTS, one),
      ]),
    )}<h2>Payouts</h2>${table(
      ['Payout', 'Status'],
      batches.map((one) => [
        escape(`${one.receiver} · ${one.value} ${one.code}`),
        escape(one.itemStatus) + buttons('payout', PAYOUT_ACTS, one),
      ]),
    )}`;
    return showPage(reply, NAME, 'Payments and payouts', body);
  });
  scope.post<{ Body: Form; Params: { name: string } }>('/capture/:name', async ({ body, params }, reply) => {
    const [act, one] = [CAPTURE_ACTS[params.name], book.capture(body['id'] ?? '')];
    if (act && one && act.fits(one)) act.act(side, one);
    return reply.redirect('../', 303);
  });
  scope.post<{ Body: Form; Params: { name: string } }>('/payout/:name', async ({ body, params }, reply) => {
    const [act, one] = [PAYOUT_ACTS[params.name], book.batch(body['id'] ?? '')];
    if (act && one && act.fits(one)) act.act(side, one);
    return reply.redirect('../', 303);
  });
}
