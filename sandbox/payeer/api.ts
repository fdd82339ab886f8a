import type { FastifyInstance } from 'fastify';
import type { Faults } from '../faults.ts';
import type { Form } from '../provider/index.ts';
import { type Book, type Operation, type Order, UNITS, textOf } from './book.ts';

type PayeerAnswer = Readonly<Record<string, unknown>>;

/** Returns an amount as a number, as Payeer writes it. */
const number = (cents: bigint | string, currency: string): number => Number(textOf(BigInt(cents), currency));

/** Mounts `api.php` as Payeer's documents describe it (github.com/payeer/docs, rest-api/en.md). */
export function mountApi(scope: FastifyInstance, book: Book, faults: Faults): void {
  faults.mount(scope);
  scope.post<{ Body: Form }>('/api.php', async ({ body }) => {
    const { account, apiId, apiPass } = book.cabinet;
    if (body['account'] !== account || body['apiId'] !== apiId || body['apiPass'] !== apiPass) {
      return { auth_error: '1', errors: ['Auth error: account or apiId or apiPass is incorrect or api-user was blocked'] };
    }
    const act = ACTIONS[body['action'] ?? ''];
    const answer = act?.(book, body, faults) ?? { errors: ['action is undefined'] };
    return { auth_error: '0', errors: [], ...answer };
  });
}

const ACTIONS: Readonly<Record<string, (book: Book, body: Form, faults: Faults) => PayeerAnswer>> = {
  '': () => ({}),
  getBalance: (book) => ({
    balance: Object.fromEntries(
      Object.keys(UNITS).map((currency) => {
        const held = number(book.held(book.cabinet.account, currency), currency);
        return [currency, { currency, total: held, available: held, hold: 0 }];
      }),
    ),
  }),
  checkUser: (book, { user = '' }) => (book.knows(user) ? {} : { errors: ['User is incorrect type'] }),
  transfer,
  paymentDetails: (book, { merchantId, referenceId = '' }, faults) => {
    if (merchantId !== book.cabinet.shop) return { success: false, errors: { merchantId: 'merchant not found' } };
    const order = book.order(referenceId);
    const items = order?.paid ? [paymentItem(order)] : [];
    return { success: true, items: faults.strikes(faults.rates.duplicates) ? [...items, ...items] : items };
  },
  payoutDetails: (book, { referenceId = '' }) => {
    const found = outgoing(book).filter(({ reference }) => reference !== '' && reference === referenceId);
    return { params: { referenceId }, history: byId(found) };
  },
  history: (book, { type, count = '10', sort = 'desc' }) => {
    const mine = book.operations().filter(({ from, to }) => [from, to].includes(book.cabinet.account));
    const fitting = mine.filter(({ from }) => type === undefined || (from === book.cabinet.account) === (type === 'outgoing'));
    const sorted = sort === 'asc' ? fitting : fitting.toReversed();
    return { params: { type, count, sort }, history: byId(sorted.slice(0, Math.min(1000, Number.parseInt(count, 10)))) };
  },
};

const outgoing = (book: Book): Operation[] =>
  book.operations().filter(({ from, type }) => type === 'transfer' && from === book.cabinet.account);

function transfer(
  book: Book,
  { curIn = '', curOut = '', sum, sumOut, to = '', comment = '', referenceId = '' }: Form,
): PayeerAnswer {
  const text = sumOut ?? sum ?? '';
  const failed = (error: string): PayeerAnswer => ({ errors: [error], success: false });
  if (!(curIn in UNITS)) return failed('curInError');
  if (!(curOut in UNITS)) return failed('curOutError');
  if (curIn !== curOut) return failed('convertForbidden');
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(text) || /^[0.]*$/.test(text)) return failed('sumNotNull');
  if (!/^[a-zA-Z0-9_-]{0,50}$/.test(referenceId)) return failed('Parameter Reference Id has an invalid format');
  if (to === book.cabinet.account) return failed('transferHimselfForbidden');
  // An unknown e-mail address becomes a new account, which receives the money.
  const payee = /^[^@\s]+@[^@\s]+$/.test(to) ? book.open() : to;
  if (!book.knows(payee)) return failed('toError');
  const [whole = '0', behind = ''] = text.split('.');
  const cents = BigInt(whole + behind.padEnd(2, '0'));
  const move = { from: book.cabinet.account, to: payee, currency: curIn, cents, comment, reference: referenceId };
  const made = book.transfer(move);
  return made ? { errors: false, success: true, historyId: Number.parseInt(made.id, 10) } : failed('balanceError');
}

/** Writes operations by id. PHP writes an empty map as a list. */
const byId = (operations: readonly Operation[]): unknown =>
  operations.length === 0 ? [] : Object.fromEntries(operations.map((operation) => [operation.id, historyRow(operation)]));

function historyRow({
  id,
  at,
  type,
  status,
  from,
  to,
  currency,
  debited,
  credited,
  comment,
  reference,
  order,
}: Operation): PayeerAnswer {
  const [debit, credit] = [number(debited, currency), number(credited, currency)];
  return {
    ...{ id, date: sqlTime(at), type, status, from, to, protect: 'N', protectDay: null, isApi: 'Y', paySystem: 'Payeer' },
    ...{ debitedAmount: String(debit), debitedCurrency: currency, creditedAmount: String(credit), creditedCurrency: currency },
    ...{ payeerFee: 0, gateFee: 0, exchangeRate: 1, comment: comment || null, referenceId: reference || null },
    ...(order !== undefined && { shopOrderId: order }),
  };
}

function paymentItem({ id, amount, currency, description, created, paid }: Order): PayeerAnswer {
  const { at, by, operation, profit } = paid as NonNullable<Order['paid']>;
  const gross = Number(amount);
  const net = number(profit, currency);
  return {
    ...{ amount: gross, currency, description: Buffer.from(description, 'base64').toString('utf8'), referenceId: id },
    ...{ created: sqlTime(created), processed: sqlTime(at), paySystemName: 'Payeer', paySystemId: '2609' },
    ...{ clientAmount: gross, clientCurrency: currency, clientAccount: by, clientEmail: `${by.toLowerCase()}@payer.sandbox` },
    ...{ profitAmount: net, profitCurrency: currency, profitTransactionId: operation, merchantTransactionId: operation },
    ...{ created_ts: Math.floor(created / 1_000), processed_ts: Math.floor(at / 1_000) },
    ...{ merchantFee: 0, merchantCurrency: currency },
  };
}

const sqlTime = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');
