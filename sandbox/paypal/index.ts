import { join } from 'node:path';
import { type Counterpart, type Paid, type Payment, Refused, type Where } from '../counterpart.ts';
import { Faults } from '../faults.ts';
import { WebhookSender, Store, acceptForms } from '../provider/index.ts';
import { Acts } from './actions.ts';
import type { Side } from './answers.ts';
import { mountApi } from './api.ts';
import { type Batch, Book, type Capture, type Code, type Funding, UNITS, centsOf, newId, textOf } from './book.ts';
import { Messages, headersOf } from './messages.ts';
import { mountPages } from './pages.ts';
import { Schemas } from './schemas.ts';
import { Resources } from './resources.ts';

interface PayPalOptions {
  readonly folder?: string;
  /** Random numbers for faults; tests replace it. */
  readonly chance?: () => number;
  readonly tokenSeconds?: number;
  readonly payoutMs?: number;
}

/**
 * Counterpart of PayPal: orders with the payer's pages, captures, refunds, payouts, signed messages. PayPal's own OpenAPI files
 * check every request and every answer; not compared with the live service. Without a folder, nothing is stored.
 */
export async function openPaypal(options: PayPalOptions = {}): Promise<Counterpart> {
  const { folder, chance, tokenSeconds = 32_400, payoutMs = 200 } = options;
  const book = new Book(new Store(folder === undefined ? undefined : join(folder, 'paypal.jsonl')));
  const faults = new Faults(chance);
  const webhooks = new WebhookSender(faults);
  let where: Where = { base: '', pages: '' };
  const shown = new Resources(book, () => where);
  const messages = new Messages(book, webhooks, () => where);
  const acts = new Acts(book, shown, messages);
  const side: Side = {
    book,
    shown,
    acts,
    messages,
    schemas: new Schemas(),
    faults,
    tokenSeconds,
    payoutMs,
    lag: { is: 0, says: 0 },
    unheard: 0,
    hasDisputes: true,
    flaws: [],
  };

  return {
    rail: 'paypal',
    currencies: Object.values(UNITS),
    faults,
    environment: () => ({}),
    provider: (given) => {
      where = given;
      // Payouts accepted before a restart are processed now, when their messages have a receiver.
      for (const { id, status } of book.batches()) if (status === 'PENDING') acts.process(id);
      return settingsFor(book, given);
    },
    mount: (scope) => {
      scope.register(async (api) => mountApi(api, side));
      scope.register(async (pages) => {
        acceptForms(pages);
        mountPages(pages, side);
      });
    },
    pay: async (payment) => pay(side, payment),
    address: async () => book.open('payee').email,
    balance: async (currency, account) => {
      if (!book.account(account) && !account.includes('@')) throw new Refused('account', `no account ${account}`);
      return textOf(book.held(account, codeFor(currency)));
    },
    fund: async ({ currency, amount }) => book.move(book.cabinet.email, codeFor(currency), centsOf(amount)),
    tricks: tricksOf(side),
    close: () => webhooks.close(),
  };
}

function codeFor(currency: string): Code {
  const entry = Object.entries(UNITS).find(([, unit]) => unit === currency);
  if (!entry) throw new Refused('currency', `no currency ${currency}`);
  return entry[0] as Code;
}

/** Returns the desk's settings. Registers its webhook, as an operator would in their account. */
function settingsFor(book: Book, { base, webhook = `${base}/nowhere` }: Where): Readonly<Record<string, unknown>> {
  const { clientId, clientSecret, merchantId, certificateName } = book.cabinet;
  let registered = book.webhooks().find(({ url }) => url === webhook);
  if (!registered) {
    registered = { id: newId(17), url: webhook, kinds: ['*'] };
    book.put('webhook', registered);
  }
  return {
    ...{ api: base, clientId, clientSecret, merchantId, webhookId: registered.id },
    // Offline proof allows any number of messages and uses the certificate; `online` works, too.
    proof: 'offline',
    certificates: { from: [`${base}/v1/notifications/certs/`], name: certificateName, roots: [book.authority.root] },
    payoutFee: { percent: '2', max: '1.00' },
  };
}

/** Approves an order by its link, as a payer's browser would, from a fresh account. The shop then captures the money. */
function pay({ book, acts }: Side, { way, amount, currency }: Payment, funding: Funding = 'balance'): Paid {
  const order = book.order(URL.parse(way?.url ?? '')?.searchParams.get('token') ?? '');
  if (way?.method !== 'GET' || !order) throw new Refused('to', 'PayPal is paid by the link of an order');
  if (order.status !== 'PAYER_ACTION_REQUIRED') throw new Refused('to', `this order is ${order.status}`);
  const { currency_code: code, value } = order.unit.amount;
  if (UNITS[code] !== currency || centsOf(value) !== centsOf(amount)) {
    throw new Refused('amount', `the order is over ${value} ${code}, and PayPal lets nobody pay another amount`);
  }
  const { email } = book.open();
  if (funding === 'echeck' && order.isImmediate) throw new Refused('funding', 'this shop takes no eChecks');
  acts.approve(order, email, funding);
  return { txid: order.id, from: email };
}

function tricksOf(side: Side): NonNullable<Counterpart['tricks']> {
  const { book, acts, messages } = side;
  const captureOf = ({ to, key }: Readonly<Record<string, unknown>>): Capture => {
    const found = book.captures().findLast(({ id, customId }) => customId === to || id === key);
    if (!found) throw new Refused('to', 'nothing was captured');
    return found;
  };
  const batchOf = ({ id }: Readonly<Record<string, unknown>>): Batch => {
    const found = book.batches().find((one) => one.id === id || one.senderId === id);
    if (!found) throw new Refused('id', 'no such payout');
    return found;
  };
  return {
    /** Pays like `pay`, with another source of money, such as an eCheck or a declined card. */
    approve: async ({ funding, ...payment }) => pay(side, payment as unknown as Payment, funding as Funding),
    settle: async ({ ok, ...which }) => ({ status: acts.settle(captureOf(which), ok !== false).status }),
    chargeback: async (which) => ({ status: acts.reverse(captureOf(which)).status }),
    refund: async (which) => {
      const capture = captureOf(which);
      return { id: acts.refund(capture, which['cents'] === undefined ? acts.left(capture) : BigInt(String(which['cents']))).id };
    },
    win: async (which) => ({ status: acts.win(captureOf(which)).status }),
    dispute: async (which) => ({ id: acts.dispute(captureOf(which)) }),
    withdraw: async (which) => acts.withdraw(captureOf(which)),
    /** Sets the status of a payout's item: `RETURNED`, `SUCCESS`, `REVERSED`, … */
    item: async ({ status, ...which }) => ({ status: acts.become(batchOf(which), status as Batch['itemStatus']).itemStatus }),
    return: async (which) => ({ status: acts.become(batchOf(which), 'RETURNED').itemStatus }),
    /** Stops messages, or sends them again. */
    silence: async ({ on }) => ({ silent: (messages.isSilent = on !== false) }),
    /** Answers this number of payouts and refunds with 500 after carrying them out. */
    unheard: async ({ count }) => ({ unheard: (side.unheard = Number(count ?? 1)) }),
    /** Makes balances this many seconds old. They state that age, or another one (`says`), or none (null). */
    lag: async ({ seconds, says = seconds }) => {
      side.lag = { is: Number(seconds) * 1_000, says: says === null ? null : Number(says) * 1_000 };
      return side.lag;
    },
    /** Refuses the disputes API, as before PayPal has granted it to an app; or grants it. */
    grant: async ({ disputes }) => ({ disputes: (side.hasDisputes = disputes !== false) }),
    /** Returns the answers that violated PayPal's schemas. */
    flaws: async () => side.flaws,
    /** Returns the number of payouts and refunds with a reference. */
    done: async ({ reference }) => ({
      done:
        book.batches().filter(({ senderId }) => senderId === reference).length +
        book
          .captures()
          .flatMap(({ id }) => book.refunds(id))
          .filter(({ customId }) => customId === `refund-${String(reference)}`).length,
    }),
    /** Returns the newest message of a kind as a webhook receives it, or signed with another body. */
    message: async ({ kind, webhook: registered, time, body }) => {
      const event = book.events().findLast((one) => one.event_type === kind);
      if (!event) throw new Refused('kind', 'nothing of the kind happened');
      const text = typeof body === 'string' ? body : messages.messageTo('', '', event).body;
      const signed = messages.signed(text, String(registered), ...(typeof time === 'string' ? [time] : []));
      return { body: text, headers: headersOf(signed) };
    },
  };
}
