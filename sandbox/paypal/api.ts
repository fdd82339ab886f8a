import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createHash, timingSafeEqual } from 'node:crypto';
import { type PaypalAnswer, No, type Operate, type Request, type Side } from './answers.ts';
import { type Book, newId } from './book.ts';
import { mountOrders } from './orders-api.ts';
import { mountPayments } from './payments-api.ts';
import { mountPayouts } from './payouts-api.ts';
import type { Checked } from './schemas.ts';
import { mountWebhooks } from './webhooks-api.ts';

/** Mounts the API. PayPal's schemas check every request and every answer. */
export function mountApi(scope: FastifyInstance, side: Side): void {
  side.faults.mount(scope);
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(/^application\/(json|x-www-form-urlencoded)/, { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  );
  const tokens = mountTokens(scope, side);
  const operate: Operate = (file, id, work) => {
    const operation = side.schemas.operation(file, id);
    scope.route({
      method: operation.method === 'post' ? 'POST' : 'GET',
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      handler: async (request, reply) => {
        const answer = answerTo(operation, tokens.isGood(request), request, work);
        try {
          operation.checkReply(answer.status, answer.body);
        } catch (error) {
          side.flaws.push(String(error));
          throw error;
        }
        return reply.code(answer.status).send(answer.body);
      },
    });
  };
  for (const mount of [mountOrders, mountPayments, mountPayouts, mountWebhooks]) mount(operate, side);
  mountUnspecified(scope, side, tokens.isGood);
}

function answerTo(
  operation: Checked,
  isKnown: boolean,
  request: FastifyRequest,
  work: (request: Request) => PaypalAnswer,
): PaypalAnswer {
  try {
    if (!isKnown) throw new No(401, 'AUTHENTICATION_FAILURE');
    const text = typeof request.body === 'string' ? request.body : '';
    const requested: Request = {
      params: request.params as Record<string, string>,
      query: request.query as Record<string, string>,
      headers: request.headers,
      body: readJson(text),
      text,
    };
    const wrong = operation.wrongIn(requested);
    if (wrong) throw new No(400, 'INVALID_REQUEST', 'INVALID_PARAMETER_SYNTAX', { field: wrong.field, value: wrong.why });
    return work(requested);
  } catch (error) {
    if (error instanceof No) return { status: error.status, body: error.body };
    throw error;
  }
}

function readJson(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    throw new No(400, 'INVALID_REQUEST', 'MALFORMED_REQUEST_JSON');
  }
}

const sameText = (a: string, b: string): boolean =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());

/** Issues tokens to the desk's client (`POST /v1/oauth2/token`, RFC 6749 §4.4). They end with their time or with a restart. */
function mountTokens(scope: FastifyInstance, { book, tokenSeconds }: Side): { isGood: (request: FastifyRequest) => boolean } {
  const good = new Map<string, number>();
  scope.post('/v1/oauth2/token', async (request, reply): Promise<FastifyReply> => {
    const { clientId, clientSecret } = book.cabinet;
    const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    if (!sameText(request.headers.authorization ?? '', basic)) {
      return reply.code(401).send({ error: 'invalid_client', error_description: 'Client Authentication failed' });
    }
    if (new URLSearchParams(String(request.body)).get('grant_type') !== 'client_credentials') {
      return reply.code(400).send({ error: 'unsupported_grant_type', error_description: 'unsupported grant_type' });
    }
    const token = `A21${newId(60)}`;
    good.set(token, Date.now() + tokenSeconds * 1_000);
    const scopes = 'https://uri.paypal.com/services/payments/payment https://uri.paypal.com/payments/payouts';
    return reply.send({
      ...{ scope: scopes, access_token: token, token_type: 'Bearer', app_id: `APP-${newId(17)}`, expires_in: tokenSeconds },
      nonce: `${new Date().toISOString()}${newId(20)}`,
    });
  });
  return {
    isGood: (request) => {
      const [kind, token = ''] = (request.headers.authorization ?? '').split(' ');
      return kind === 'Bearer' && (good.get(token) ?? 0) > Date.now();
    },
  };
}

/** Mounts balances (Transaction Search) and disputes, which have no schema here, and the certificate that signs messages. */
function mountUnspecified(scope: FastifyInstance, side: Side, isGood: (request: FastifyRequest) => boolean): void {
  const { book, messages } = side;
  scope.get('/v1/reporting/balances', async (request, reply) => {
    if (!isGood(request)) return reply.code(401).send(new No(401, 'AUTHENTICATION_FAILURE').body);
    const { is, says } = side.lag;
    const time = says === null ? {} : timesOf(Date.now() - says);
    return reply.send({ ...balancesOf(book, Date.now() - is), account_id: book.cabinet.merchantId, ...time });
  });
  scope.get<{ Querystring: { disputed_transaction_id?: string } }>('/v1/customer/disputes', async (request, reply) => {
    if (!isGood(request)) return reply.code(401).send(new No(401, 'AUTHENTICATION_FAILURE').body);
    if (!side.hasDisputes) return reply.code(403).send(new No(403, 'NOT_AUTHORIZED').body);
    const found = book.disputes(request.query.disputed_transaction_id ?? '');
    return reply.send({ items: found.map(({ id, status, at }) => ({ dispute_id: id, status, create_time: at })), links: [] });
  });
  scope.get(messages.certificatePath, async (_request, reply) =>
    reply.type('application/x-pem-file').send(book.authority.certificate),
  );
}

/** Returns the time of balances as PayPal writes it. */
const timesOf = (ms: number): object => {
  const text = `${new Date(ms).toISOString().slice(0, 19)}Z`;
  return { as_of_time: text, last_refresh_time: text };
};

function balancesOf(book: Book, at: number): object {
  const balances = (['USD', 'EUR'] as const).map((currency, index) => {
    const cents = book.heldThen(currency, at);
    const value = `${cents < 0n ? '-' : ''}${(cents < 0n ? -cents : cents) / 100n}.${String((cents < 0n ? -cents : cents) % 100n).padStart(2, '0')}`;
    const money = { currency_code: currency, value };
    return {
      currency,
      primary: index === 0,
      total_balance: money,
      available_balance: money,
      withheld_balance: { currency_code: currency, value: '0.00' },
    };
  });
  return { balances };
}
