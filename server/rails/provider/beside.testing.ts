import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import type { Counterpart, Paid } from '../../../sandbox/counterpart.ts';
import { money, format } from '@kurs/money';
import { wallClock } from '../../platform/index.ts';
import type { Attempt, Webhook, WebhookProof, Fields, PayWay, Payin, Payout, Prepared, Rail, ReceivingAddress } from '../rail.ts';
import { type ProviderModule, openReferences } from './index.ts';

/** A provider's rail with its counterpart, over real HTTP, and a server that receives the provider's messages. */
export interface Beside {
  readonly rail: Rail & { readonly payin: Payin & Required<Pick<Payin, 'open'>>; readonly payout: Payout };
  /** Opens the rail as a newly started process does. */
  start(): Beside['rail'];
  readonly counterpart: Counterpart;
  readonly settings: Readonly<Record<string, unknown>>;
  /** The provider's own address, for requests of its pages. */
  readonly base: string;
  /** Received messages, each with the rail's proof of it. */
  readonly messages: (Webhook & { readonly proof: WebhookProof })[];
  trick(name: string, input?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Opens a payment of an amount, in minor units, at a new reference. */
  open(currency: string, parts: bigint, payer?: Fields): Promise<Opening>;
  /** Pays through the provider's pages, as the sandbox does for a customer. */
  pay(opening: Opening): Promise<Paid>;
  close(): Promise<void>;
}

export interface Opening {
  readonly reference: ReceivingAddress;
  readonly way: Extract<PayWay, { kind: 'redirect' }>;
  readonly amount: string;
}

/** Starts a provider's rail and its counterpart. `change` replaces some of the operator's settings. */
export async function beside(
  openCounterpart: () => Promise<Counterpart>,
  module: ProviderModule,
  change: Readonly<Record<string, unknown>> = {},
): Promise<Beside> {
  const counterpart = await openCounterpart();
  const site = fastify({ forceCloseConnections: true });
  await site.register(async (scope) => counterpart.mount(scope), { prefix: `/sandbox/${counterpart.rail}` });
  const base = `${await listen(site)}/sandbox/${counterpart.rail}`;
  const receiver = fastify({ forceCloseConnections: true });
  const messages: Beside['messages'] = [];
  const webhookUrl = `${await receive(receiver, () => rail, messages)}/confirmation`;
  const settings = { ...counterpart.provider?.({ base, pages: base, webhook: webhookUrl }), ...change };
  const start = (): Beside['rail'] =>
    module.open(module.settings.parse(settings), {
      reference: openReferences('a key of the tests', counterpart.rail),
      webhookUrl,
      siteUrl: (path) => `http://127.0.0.1:9${path}`,
    }) as Beside['rail'];
  const rail = start();

  let index = 0;
  return {
    ...{ rail, start, counterpart, settings, base, messages },
    trick: async (name, input = {}) => void (await counterpart.tricks?.[name]?.(input)),
    open: async (currency, parts, payer = {}) => {
      index += 1;
      const { to } = rail.payin.instruct(currency, index);
      const amount = money(currency, parts);
      const until = new Date(wallClock().getTime() + 900_000);
      const back = { success: `/order/KU-${index}?success`, fail: `/order/KU-${index}?fail` };
      const opened = await rail.payin.open({ currency, to, amount, label: `KU-${index}`, back, locale: 'en', until, payer });
      if (!opened.ok || opened.way.kind !== 'redirect') throw new Error(`not opened: ${JSON.stringify(opened)}`);
      const reference = { currency, to, sinceHeight: 0, isWanted: true, ...(opened.id !== undefined && { id: opened.id }) };
      return { reference, way: opened.way, amount: format(amount) };
    },
    pay: ({ reference: { currency, to }, way, amount }) =>
      counterpart.pay({ currency, to, way, amount, fee: 'normal', isReplaceable: false }),
    close: async () => {
      await counterpart.close();
      await Promise.all([site.close(), receiver.close()]);
    },
  };
}

async function receive(receiver: FastifyInstance, rail: () => Rail, messages: Beside['messages']): Promise<string> {
  receiver.removeAllContentTypeParsers();
  receiver.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  receiver.post('/confirmation', async (request, reply) => {
    const webhook: Webhook = { raw: request.body as Buffer, headers: request.headers as Record<string, string> };
    const { payin } = rail();
    const proof = (await payin?.check?.(webhook)) ?? { isProven: false };
    messages.push({ ...webhook, proof });
    const answer = payin?.reply?.(webhook, proof);
    reply.code(proof.isProven ? 200 : 400);
    return answer ? reply.type(answer.type).send(answer.body) : reply.send();
  });
  return listen(receiver);
}

async function listen(app: FastifyInstance): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

/** Prepares one payout, and returns its attempt. Throws an Error if the rail doesn't prepare it. */
export async function preparedFor(world: Beside, id: string, currency: string, parts: bigint, to: Fields): Promise<Attempt> {
  const prepared = await prepareFor(world, id, currency, parts, to);
  if (!prepared.ok) throw new Error(`${prepared.reason}: ${prepared.detail}`);
  return prepared.attempt;
}

/** Prepares one payout, and returns the rail's answer. */
export const prepareFor = (world: Beside, id: string, currency: string, parts: bigint, to: Fields): Promise<Prepared> =>
  world.rail.payout.prepare([{ id, currency, to, parts }], { spent: [], unconfirmed: [], indexes: [], changeIndex: 0 });
