import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type BillRequest, type Bank, type Bill, CURRENCIES, Denied, type Movement, written } from './bank.ts';

/** The service for programs, by docs.money-go.com: it issues a token and serves calls with it. */

/** Deviations of the service that tests set. */
export interface Mood {
  /** Lifetime of a token, in seconds. */
  seconds: number;
  /** Call whose next answer is lost. */
  loses: string;
  /** True if all tokens issued so far become invalid with the next call. */
  isRevoking: boolean;
}

type Body = Readonly<Record<string, string | undefined>>;
type Query = Readonly<Record<string, string | undefined>>;

/** Mounts the calls that the desk uses. `pages` returns the address of payments' pages for browsers. */
export function mountService(scope: FastifyInstance, bank: Bank, mood: Mood, pages: () => string): void {
  const tokens = new Map<string, number>();
  scope.post('/token', async (request, reply) => {
    const { grant_type: grant, client_id: id, client_secret: secret } = request.body as Body;
    if (grant !== 'client_credentials' || id !== bank.desk.clientId || secret !== bank.desk.clientSecret)
      return reply.code(401).send({ error: 'invalid_client', message: 'Client authentication failed' });
    const token = randomBytes(24).toString('base64url');
    tokens.set(token, Date.now() + mood.seconds * 1_000);
    return { token_type: 'Bearer', expires_in: mood.seconds, access_token: token };
  });

  const call = (method: 'GET' | 'POST', path: string, work: (request: FastifyRequest) => unknown): void => {
    scope.route({
      method,
      url: `/api/${path}`,
      handler: async (request, reply) => {
        if (mood.isRevoking) tokens.clear();
        mood.isRevoking = false;
        const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
        if ((tokens.get(token) ?? 0) <= Date.now()) return reply.code(401).send({ status: false, message: 'Unauthenticated.' });
        try {
          const data = work(request);
          if (mood.loses === path) {
            mood.loses = '';
            request.raw.socket.destroy();
          }
          return { status: true, data };
        } catch (error) {
          if (!(error instanceof Denied)) throw error;
          return reply.code(error.status).send({ status: false, message: error.message });
        }
      },
    });
  };
  call('GET', 'wallets', () => bank.deskWallets().map(walletRow));
  call('GET', 'wallet-exists', ({ query }) => {
    const { number_to: to = '', number_from: from = '' } = query as Query;
    const { ours, other } = bank.pairOf(to, from);
    return {
      wallet_to_id: 1,
      number_to: ours.number,
      wallet_from_id: 2,
      number_from: other.number,
      currency: currencyRow(ours.currency),
    };
  });
  call('POST', 'processing/checkout', ({ body }) => {
    const { key } = bank.bill(body as BillRequest);
    return { url: `${pages()}/pay/${key}`, expired_at: new Date(Date.now() + 3_600_000).toISOString() };
  });
  call('GET', 'transaction/show', ({ query }) => {
    const { id, external_id: reference } = query as Query;
    const found = id === undefined ? bank.byReference(reference ?? '') : bank.movement(id);
    if (!found) throw new Denied(404, 'Transaction not found');
    return movementRow(bank, found);
  });
  call('POST', 'transaction/transfer', ({ body }) => {
    const { wallet_from: from = '', wallet_to: to = '', amount = '', payment_id: reference = '' } = body as Body;
    return { id: Number(bank.transfer(from, to, amount, reference).id), message: 'Transaction complete success' };
  });
}

const currencyRow = (code: string): Record<string, unknown> => ({ id: CURRENCIES[code], code, precession: 2, prefix: code[0] });

const walletRow = ({ number, currency, parts }: { number: string; currency: string; parts: string }): Record<string, unknown> => {
  const amount = JSON.parse(written(BigInt(parts))) as number;
  return { id: 1, amount, amountLimit: 0, status: 0, number, currency: currencyRow(currency), active_amount: amount };
};

function movementRow(
  bank: Bank,
  { id, reference, amount, commission, currency, status, ...rest }: Movement,
): Record<string, unknown> {
  const bill = rest.bill === undefined ? undefined : bank.billOf(rest.bill);
  return {
    ...{ id: Number(id), external_id: reference, amount, commission },
    ...{ type: bill ? 'DEPOSIT' : 'TRANSFER', status, currency: currencyRow(currency) },
    ...(bill && { processing_pay: payRow(bill, { id, currency, status, ...rest }) }),
  };
}

/** Returns a payment's page as look-ups and messages to the shop contain it. */
export const payRow = (
  { id: payment_id, signature, wallet_from, wallet_to, amount }: Bill,
  { id, currency, status, isCancelled = false }: Pick<Movement, 'id' | 'currency' | 'status' | 'isCancelled'>,
): Record<string, unknown> => ({
  ...{ payment_id, signature, transaction_id: Number(id), wallet_from, wallet_to },
  ...{ currency_to: currency, currency_from: currency, amount: JSON.parse(amount) as number, status, cancel: isCancelled },
});
