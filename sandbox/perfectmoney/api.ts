import type { FastifyInstance } from 'fastify';
import type { Faults } from '../faults.ts';
import { type Form, escape } from '../provider/index.ts';
import { type Book, type Currency, CURRENCIES, PmError, textOf } from './book.ts';

const VOUCHERS = 'Created,e-Voucher number,Activation code,Currency,Batch,Payer Account,Payee Account,Activated,Amount';
const HISTORY = 'Time,Type,Batch,Currency,Amount,Fee,Payer Account,Payee Account,Payment ID,Memo';
const NONE = 'No Records Found.';

/** Mounts `/acct/*.asp`: pages with hidden fields, and lists as CSV, as in the vendor's manual in public integrations. */
export function mountApi(scope: FastifyInstance, book: Book, faults: Faults): void {
  faults.mount(scope);
  scope.get<{ Params: { page: string }; Querystring: Form }>('/acct/:page', async ({ params, query }, reply) => {
    const act = ACTS[params.page];
    if (!act) return reply.code(404).type('text/html').send('<h1>Not Found</h1>');
    const isTheirs = query['AccountID'] === book.login && query['PassPhrase'] === book.passPhrase;
    const refused = 'Can not login with passed AccountID and PassPhrase or API is disabled on this account/IP';
    const answer = isTheirs ? attempt(() => act(book, query)) : page({ ERROR: refused });
    const isList = params.page.endsWith('csv.asp') && faults.strikes(faults.rates.duplicates);
    return reply.type(answer.startsWith('<') ? 'text/html' : 'text/plain').send(isList ? twice(answer) : answer);
  });
}

/** Repeats each row of a list below its head. */
function twice(list: string): string {
  const [head = '', ...rows] = list.split('\r\n');
  return [head, ...rows.flatMap((row) => [row, row])].join('\r\n');
}

function attempt(work: () => string): string {
  try {
    return work();
  } catch (error) {
    if (error instanceof PmError) return page({ ERROR: error.message });
    throw error;
  }
}

const ACTS: Readonly<Record<string, (book: Book, query: Form) => string>> = {
  'balance.asp': (book) =>
    page(
      Object.fromEntries(
        (Object.keys(CURRENCIES) as Currency[]).map((currency) => {
          const account = book.accountOf('desk', currency);
          return [account, textOf(book.held(account), currency)];
        }),
      ),
    ),
  'ev_create.asp': (book, { Payer_Account: payer = '', Amount: amount = '' }) => {
    if (book.account(payer)?.owner !== 'desk') throw new PmError('Invalid Payer_Account');
    if (!/^\d{1,9}(\.\d{1,2})?$/.test(amount)) throw new PmError('Invalid Amount');
    const [whole = '', behind = ''] = amount.split('.');
    const { voucher, paid } = book.create(payer, BigInt(whole + behind.padEnd(2, '0')));
    return page({
      Payer_Account: payer,
      PAYMENT_AMOUNT: textOf(paid, voucher.currency),
      PAYMENT_BATCH_NUM: voucher.batch,
      VOUCHER_NUM: voucher.number,
      VOUCHER_CODE: voucher.code,
      VOUCHER_AMOUNT: textOf(voucher.cents, voucher.currency),
    });
  },
  'ev_activate.asp': (book, { Payee_Account: payee = '', ev_number: number = '', ev_code: code = '' }) => {
    if (book.account(payee)?.owner !== 'desk') throw new PmError('Invalid Payee_Account');
    const { voucher, batch } = book.activate(payee, number, code);
    return page({
      VOUCHER_NUM: number,
      VOUCHER_AMOUNT: textOf(voucher.cents, voucher.currency),
      VOUCHER_AMOUNT_CURRENCY: voucher.currency,
      Payee_Account: payee,
      PAYMENT_BATCH_NUM: batch,
    });
  },
  'ev_remove.asp': (book, { ev_number: number = '' }) => {
    const { voucher, batch } = book.remove('desk', number);
    const amount = textOf(voucher.cents, voucher.currency);
    return page({ VOUCHER_NUM: number, VOUCHER_AMOUNT: amount, Payer_Account: voucher.payer, PAYMENT_BATCH_NUM: batch });
  },
  // Only vouchers that the caller made: "complete listing of all e-Vouchers created by the user". Returned ones are missing.
  'evcsv.asp': (book, query) => {
    const made = book.vouchers().filter(({ by, isRemoved }) => by === 'desk' && !isRemoved);
    const requests = made.filter((one) => isRequested(query['ev_number'], one.number) && isWithin(query, one.created));
    const rows = requests.map(({ created, number, code, currency, batch, payer, used, cents }) => [
      ...[timeText(created), number, code, currency, batch, payer],
      ...[used?.payee ?? '', used ? timeText(used.at) : '', textOf(cents, currency)],
    ]);
    return csv(VOUCHERS, rows);
  },
  'historycsv.asp': (book, query) => {
    const moved = book.movements('desk');
    const requests = moved.filter((one) => isRequested(query['batchfilter'], one.batch) && isWithin(query, one.at));
    const rows = requests.map(({ at, type, batch, currency, cents, fee, payer, payee, memo }) => [
      ...[timeText(at), type, batch, currency, `${type === 'Charge' ? '-' : ''}${textOf(cents, currency)}`],
      ...[textOf(fee, currency), payer, payee, '', memo],
    ]);
    return csv(HISTORY, rows);
  },
};

const isRequested = (request: string | undefined, it: string): boolean =>
  request === undefined || request === '' || request === it;

/** True if a time lies within whole days of GMT, both inclusive. */
function isWithin({ startyear, startmonth, startday, endyear, endmonth, endday }: Form, at: number): boolean {
  const day = new Date(at).toISOString().slice(0, 10);
  const text = (...parts: (string | undefined)[]): string => parts.map((part = '') => part.padStart(2, '0')).join('-');
  return (
    (startyear === undefined || day >= text(startyear, startmonth, startday)) &&
    (endyear === undefined || day <= text(endyear, endmonth, endday))
  );
}

const csv = (head: string, rows: readonly (readonly string[])[]): string =>
  rows.length === 0 ? NONE : [head, ...rows.map((row) => row.join(','))].join('\r\n');

/** Writes a time in GMT: `11/22/26 14:05`. */
function timeText(at: number): string {
  const iso = new Date(at).toISOString();
  return `${iso.slice(5, 7)}/${iso.slice(8, 10)}/${iso.slice(2, 4)} ${iso.slice(11, 16)}`;
}

const page = (fields: Form): string =>
  `<html><body><h1>Perfect Money</h1><table border=1>${Object.entries(fields)
    .map(
      ([name, value]) =>
        `<tr><td>${escape(name)}</td><td>${escape(value)}</td></tr>\n<input name='${escape(name)}' type='hidden' value='${escape(value)}'>`,
    )
    .join('')}</table></body></html>`;
