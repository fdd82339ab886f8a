import { createHmac, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Counterpart, Refused, type Where } from '../counterpart.ts';
import { Faults } from '../faults.ts';
import { WebhookSender, type Form, Store, acceptForms, button, escape, facts, showPage, table } from '../provider/index.ts';
import { freshAddress } from './address.ts';
import { Book, COINS, type Invoice, isOver, partsOf, statusOf, textOf } from './book.ts';

interface NebuloxOptions {
  readonly folder?: string;
  /** Random numbers for faults; tests replace it. */
  readonly chance?: () => number;
}

/**
 * Counterpart of Nebulox: invoices with a page each, the API, and signed messages. Written from docs.nebulox.io; not compared
 * with the live gateway. It has no payouts and no balance.
 */
export async function openNebulox({ folder, chance }: NebuloxOptions = {}): Promise<Counterpart> {
  const book = new Book(new Store(folder === undefined ? undefined : join(folder, 'nebulox.jsonl')));
  const faults = new Faults(chance);
  const webhooks = new WebhookSender(faults);
  /** Refund addresses of customers, to which Nebulox never sends anything. */
  const given = new Set<string>();
  let where: Where | undefined;
  const report = (invoice: Invoice): void => {
    if (where?.webhook !== undefined) webhooks.send(messageOf(book, invoice, where.webhook));
  };
  const invoiceOf = (orderId: string): Invoice => {
    const found = book.invoices().findLast((one) => one.orderId === orderId);
    if (!found) throw new Refused('to', `no invoice for ${orderId}`);
    return found;
  };
  const paid = (id: string, parts: bigint): Invoice => {
    const invoice = book.pay(id, parts);
    report(invoice);
    return invoice;
  };

  return {
    rail: 'nebulox',
    currencies: Object.keys(COINS),
    faults,
    environment: () => ({}),
    provider: (given) => {
      where = given;
      return { apiUrl: `${given.base}/api/`, apiKey: book.apiKey };
    },
    mount: (scope: FastifyInstance) => {
      acceptForms(scope);
      scope.register(async (api) => mountApi(api, book, faults, () => where?.pages ?? ''));
      mountPages(scope, book, paid, () => (where?.webhook === undefined ? undefined : where.pages));
    },
    pay: async ({ to, way, amount, currency }) => {
      const id = /\/invoice\/([0-9a-f-]{36})$/.exec(way?.url ?? '')?.[1] ?? invoiceOf(to).id;
      const { coin } = book.invoice(id) ?? { coin: '' };
      if (coin !== currency) throw new Refused('currency', `the invoice is in ${coin}`);
      const invoice = paid(id, partsOf(amount, coin));
      return { txid: invoice.txId ?? '', from: `a wallet of ${coin}` };
    },
    // A refund address of a customer. Nebulox never sends anything there.
    address: async (currency) => {
      if (COINS[currency] === undefined) throw new Refused('currency', `no coin ${currency}`);
      const address = freshAddress(currency);
      given.add(address);
      return address;
    },
    // The account `gateway` is what the gateway holds for the shop. All others hold nothing.
    balance: async (currency, account) => {
      if (account !== 'gateway') {
        if (!given.has(account)) throw new Refused('account', `neither the gateway nor an address of a customer: ${account}`);
        return textOf(0n, currency);
      }
      const taken = book.invoices().filter(({ coin }) => coin === currency);
      return textOf(
        taken.reduce((sum, invoice) => sum + BigInt(invoice.paid), 0n),
        currency,
      );
    },
    fund: async () => {},
    tricks: {
      /** Ends the time of an order's invoice. */
      expire: async ({ to }) => ({ status: statusOf(book.expire(invoiceOf(String(to)).id)) }),
      /** Sends the message about an order's invoice again. */
      tell: async ({ to }) => {
        report(invoiceOf(String(to)));
        return { told: true };
      },
      /** Returns the number of an order's invoices. */
      invoices: async ({ to }) => book.invoices().filter(({ orderId }) => orderId === String(to)).length,
    },
    close: () => webhooks.close(),
  };
}

type Body = Readonly<Record<string, unknown>>;

function mountApi(scope: FastifyInstance, book: Book, faults: Faults, pages: () => string): void {
  faults.mount(scope);
  const answer = (reply: FastifyReply, status: number, message: string, result: unknown = []): FastifyReply =>
    reply.code(status).send({ message, result, meta: {} });

  scope.post<{ Body: Body }>('/api/invoice/create', async ({ body }, reply) => {
    const { apiKey, orderId, coinSymbol, networkName, amount, price } = body;
    if (apiKey !== book.apiKey) return answer(reply, 406, 'This gateway is not active');
    const coin = String(coinSymbol);
    if ((amount === undefined) === (price === undefined)) return answer(reply, 400, 'Either price or amount');
    if (price !== undefined || COINS[coin] === undefined || COINS[coin] !== networkName)
      return answer(reply, 400, 'Unknown coin');
    if (typeof orderId !== 'string' || orderId === '' || typeof amount !== 'number') return answer(reply, 400, 'Bad Request');
    // `String` would write large and small numbers with an exponent.
    const invoice = book.create(orderId, coin, partsOf(amount.toFixed(8), coin));
    return answer(reply, 201, 'Operation was successful.', {
      ...{ id: invoice.id, trackingCode: invoice.trackingCode, orderId, price: null, amount, status: 'PENDING' },
      ...{ gatewayId: randomUUID(), userId: randomUUID(), info: null, created_at: new Date(invoice.created).toISOString() },
      url: `${pages()}/invoice/${invoice.id}`,
    });
  });

  scope.post<{ Body: Body }>('/api/invoice/verify', async ({ body: { apiKey, trackingCode } }, reply) => {
    if (apiKey !== book.apiKey) return answer(reply, 406, 'This gateway is not active');
    const invoice = book.invoices().find((one) => one.trackingCode === trackingCode);
    if (!invoice) return answer(reply, 404, 'Invoice not found');
    const { orderId, coin, amount, paid, expires, updated } = invoice;
    // Amounts are JSON numbers with all digits, which floats would not preserve.
    const body = {
      ...{ orderId, status: statusOf(invoice), coinSymbol: coin, price: null, trackingCode },
      ...{ expirationDate: new Date(expires).toISOString(), updated_at: new Date(updated).toISOString() },
    };
    const numbers = `"amount":${textOf(amount, coin)},"paidAmount":${textOf(paid, coin)}`;
    const result = `${JSON.stringify(body).slice(0, -1)},${numbers}}`;
    return reply.code(200).type('application/json').send(`{"message":"Operation was successful.","result":${result},"meta":{}}`);
  });
}

function messageOf(book: Book, invoice: Invoice, url: string) {
  const { orderId, txId, amount, paid, coin, trackingCode } = invoice;
  const body = JSON.stringify({
    ...{ orderId, txId: txId ?? null, amount: textOf(amount, coin), paidAmount: textOf(paid, coin), confirmations: 6 },
    ...{ status: statusOf(invoice), type: 'INVOICE', coin, coinName: COINS[coin]?.toLowerCase(), network: COINS[coin] },
    ...{ trackingCode, isWallet: false },
  });
  const headers = (key: string) => ({
    'content-type': 'application/json',
    'x-hash': createHmac('sha256', key).update(body).digest('hex'),
  });
  return { url, body, headers: headers(book.apiKey), forged: { body, headers: headers(randomUUID()) } };
}

function mountPages(
  scope: FastifyInstance,
  book: Book,
  paid: (id: string, parts: bigint) => Invoice,
  shop: () => string | undefined,
): void {
  const show = (reply: FastifyReply, invoice: Invoice | undefined, error = ''): FastifyReply => {
    if (!invoice) return showPage(reply, 'Nebulox', 'Error', '<p class="error">There is no such invoice</p>', 404);
    const words = error === '' ? '' : `<p class="error">${escape(error)}</p>`;
    return showPage(reply, 'Nebulox', 'Invoice', `${words}${invoiceBody(invoice)}`, error === '' ? 200 : 400);
  };
  scope.get('/', async (_request, reply) => {
    const rows = book
      .invoices()
      .slice(-50)
      .toReversed()
      .map((one) => [
        `<a href="invoice/${escape(one.id)}">${escape(one.orderId)}</a>`,
        escape(`${textOf(one.paid, one.coin)} of ${textOf(one.amount, one.coin)} ${one.coin}`),
        `${statusOf(one)}${!isOver(one) ? button('expire', 'End it', { id: one.id }) : ''}`,
      ]);
    return showPage(reply, 'Nebulox', 'Invoices', table(['Order', 'Paid', 'Status'], rows));
  });
  scope.get<{ Params: { id: string } }>('/invoice/:id', async ({ params: { id } }, reply) => show(reply, book.invoice(id)));
  scope.post<{ Params: { id: string }; Body: Form }>('/invoice/:id', async ({ params: { id }, body }, reply) => {
    const invoice = book.invoice(id);
    if (!invoice) return show(reply, invoice);
    try {
      const after = paid(id, partsOf((body['amount'] ?? '').trim(), invoice.coin));
      const product = shop();
      if (statusOf(after) !== 'COMPLETED' || product === undefined) return show(reply, after);
      const back = new URL('/En/payment/success', product);
      back.searchParams.set('orderId', after.orderId);
      return reply.redirect(back.href, 303);
    } catch (error) {
      if (error instanceof Refused) return show(reply, invoice, error.message);
      throw error;
    }
  });
  scope.post<{ Body: Form }>('/expire', async ({ body }, reply) => {
    book.expire(body['id'] ?? '');
    return reply.redirect('./', 303);
  });
}

/** Returns the content of an invoice's page. Its links are relative to `/invoice/<id>`. */
function invoiceBody(invoice: Invoice): string {
  const { id, orderId, coin, amount, paid } = invoice;
  const left = BigInt(amount) - BigInt(paid);
  const rows: (readonly [string, string])[] = [
    ['Order', orderId],
    ['Amount', `${textOf(amount, coin)} ${coin}`],
    ['Paid', `${textOf(paid, coin)} ${coin}`],
    ['Status', statusOf(invoice)],
  ];
  const isOpen = !isOver(invoice);
  const form = `<form method="post" action="${escape(id)}"><label>From the sandbox wallet, ${escape(coin)}<input name="amount" value="${textOf(left > 0n ? left : 0n, coin)}" autocomplete="off"></label><button>Pay</button></form>`;
  return `${facts(rows)}${isOpen ? form : ''}`;
}
