import type { FastifyInstance, FastifyReply } from 'fastify';
import { Refused } from '../counterpart.ts';
import { type Form, button, escape, facts, showPage, table } from '../provider/index.ts';
import { type Book, CURRENCIES, type Currency, PmError, type Voucher, centsOf, textOf } from './book.ts';

const SHOWN = 50;

/** Creates a voucher for the sandbox's customer, who always has enough money. */
export function buyVoucher(book: Book, payer: string, cents: bigint): Voucher {
  const price = cents + (cents * book.fee + 9_999n) / 10_000n;
  const lacking = price - book.held(payer);
  if (lacking > 0n) book.deposit(payer, lacking);
  return book.create(payer, cents).voucher;
}

/** Mounts the pages for people: buy or activate a voucher, and list all. */
export function mountPages(scope: FastifyInstance, book: Book): void {
  scope.get('/', async (_request, reply) => showPage(reply, 'Perfect Money', 'e-Vouchers', overview(book)));

  scope.post<{ Body: Form }>('/buy', async ({ body }, reply) =>
    answer(reply, () => {
      const currency = known(body['currency']);
      const cents = centsOf((body['amount'] ?? '').trim(), currency);
      const voucher = buyVoucher(book, book.accountOf('customer', currency), cents);
      return { title: 'Your e-Voucher', body: voucherFacts(voucher) };
    }),
  );
  scope.post<{ Body: Form }>('/activate', async ({ body }, reply) =>
    answer(reply, () => {
      const [number = '', code = ''] = [body['number'], body['code']].map((text) => (text ?? '').replaceAll(/\s/g, ''));
      const currency = book.voucher(number)?.currency ?? 'USD';
      const payee = book.accountOf('customer', currency);
      const { voucher } = book.activate(payee, number, code);
      const rows = [['Credited', worth(voucher)] as const, ['To your account', payee] as const];
      return { title: 'Activated', body: `${facts(rows)}<p><a href="./">Back</a></p>` };
    }),
  );
  scope.post<{ Body: Form }>('/remove', async ({ body }, reply) =>
    answer(reply, () => {
      book.remove(book.voucher(body['number'] ?? '')?.by ?? 'desk', body['number'] ?? '');
      return { title: 'Taken back', body: '<p><a href="./">Back</a></p>' };
    }),
  );
}

function answer(reply: FastifyReply, work: () => { title: string; body: string }): FastifyReply {
  try {
    const { title, body } = work();
    return showPage(reply, 'Perfect Money', title, body);
  } catch (error) {
    if (!(error instanceof PmError) && !(error instanceof Refused)) throw error;
    const body = `<p class="error">${escape(error.message)}</p><p><a href="./">Back</a></p>`;
    return showPage(reply, 'Perfect Money', 'Error', body, 400);
  }
}

function known(currency: string | undefined): Currency {
  if (currency !== undefined && Object.hasOwn(CURRENCIES, currency)) return currency as Currency;
  throw new PmError('Invalid currency');
}

const worth = ({ cents, currency }: Voucher): string => `${textOf(cents, currency)} ${currency}`;

const voucherFacts = (voucher: Voucher): string =>
  `${facts([
    ['e-Voucher number', voucher.number],
    ['Activation code', voucher.code],
    ['Worth', worth(voucher)],
  ])}<p>Anyone who knows both has the money.</p><p><a href="./">Back</a></p>`;

const field = (name: string, words: string, value = ''): string =>
  `<label>${escape(words)}<input name="${name}" value="${escape(value)}" autocomplete="off"></label>`;

/** Returns the overview. Its links are relative, since it is also shown below another address. */
function overview(book: Book): string {
  const buy = `<form method="post" action="buy">${field('currency', 'Currency (USD or EUR)', 'USD')}${field('amount', 'Amount', '50.00')}<button>Buy an e-Voucher</button></form>`;
  const use = `<form method="post" action="activate">${field('number', 'e-Voucher number')}${field('code', 'Activation code')}<button>Activate</button></form>`;
  const rows = book
    .vouchers()
    .slice(-SHOWN)
    .toReversed()
    .map((voucher) => [
      escape(`${voucher.number} · ${worth(voucher)}`),
      voucher.by === 'desk' ? 'the desk' : 'the customer',
      stateOf(book, voucher),
    ]);
  return `<h2>Buy</h2>${buy}<h2>Activate</h2>${use}<h2>All e-Vouchers</h2>${table(['e-Voucher', 'Made by', 'Now'], rows)}`;
}

function stateOf(book: Book, { number, used, isRemoved }: Voucher): string {
  if (isRemoved) return 'taken back';
  if (!used) return `unused${button('remove', 'Take back', { number })}`;
  return book.account(used.payee)?.owner === 'desk' ? 'used by the desk' : 'used by the customer';
}
