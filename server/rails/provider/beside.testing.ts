import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import type { Counterpart, Paid } from '../../../sandbox/counterpart.ts';
import { money, format } from '@kurs/money';
import { wallClock } from '../../platform/index.ts';
import type { Attempt, Webhook, WebhookProof, Fields, PayWay, Payin, Payout, Prepared, Rail, ReceivingAddress } from '../rail.ts';
import { type ProviderModule, openReferences } from './index.ts';

/** A provider's rail beside its counterpart, over real HTTP, with a door that the provider's messages come to. */
export interface Beside {
  readonly rail: Rail & { readonly payin: Payin & Required<Pick<Payin, 'open'>>; readonly payout: Payout };
  /** The rail as a process that has just been started opens it. */
  start(): Beside['rail'];
  readonly counterpart: Counterpart;
  readonly settings: Readonly<Record<string, unknown>>;
  /** The provider's own address, for what its pages are asked for. */
  readonly base: string;
  /** Messages that came, each with what the rail said of it. */
  readonly messages: (Webhook & { readonly proof: WebhookProof })[];
  trick(name: string, input?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Opens a payment of so many parts at a new reference. */
  open(currency: string, parts: bigint, payer?: Fields): Promise<Opening>;
  /** Walks a payment through the provider's pages, as the sandbox does for a customer. */
  pay(opening: Opening): Promise<Paid>;
  close(): Promise<void>;
}

export interface Opening {
  readonly reference: ReceivingAddress;
  readonly way: Extract<PayWay, { kind: 'redirect' }>;
  readonly amount: string;
}

/** Starts both; `change` alters what the operator has said. */
export async function beside(
  openCounterpart: () => Promise<Counterpart>,
  module: ProviderModule,
  change: Readonly<Record<string, unknown>> = {},
): Promise<Beside> {
  const counterpart = await openCounterpart();
  const site = fastify({ forceCloseConnections: true });
  await site.register(async (scope) => counterpart.mount(scope), { prefix: `/sandbox/${counterpart.rail}` });
  const base = `${await listen(site)}/sandbox/${counterpart.rail}`;
  const door = fastify({ forceCloseConnections: true });
  const messages: Beside['messages'] = [];
  const webhookUrl = `${await prepareDoor(door, () => rail, messages)}/confirmation`;
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
      const reference = { currency, to, sinceHeight: 0, wanted: true, ...(opened.id !== undefined && { id: opened.id }) };
      return { reference, way: opened.way, amount: format(amount) };
    },
    pay: ({ reference: { currency, to }, way, amount }) =>
      counterpart.pay({ currency, to, way, amount, fee: 'normal', replaceable: false }),
    close: async () => {
      await counterpart.close();
      await Promise.all([site.close(), door.close()]);
    },
  };
}

async function prepareDoor(door: FastifyInstance, rail: () => Rail, messages: Beside['messages']): Promise<string> {
  door.removeAllContentTypeParsers();
  door.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  door.post('/confirmation', async (request, reply) => {
    const webhook: Webhook = { raw: request.body as Buffer, headers: request.headers as Record<string, string> };
    const { payin } = rail();
    const proof = (await payin?.check?.(webhook)) ?? { proven: false };
    messages.push({ ...webhook, proof });
    const answer = payin?.reply?.(webhook, proof);
    reply.code(proof.proven ? 200 : 400);
    return answer ? reply.type(answer.type).send(answer.body) : reply.send();
  });
  return listen(door);
}

async function listen(app: FastifyInstance): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

/** Prepares one payout; throws where it can't be. */
export async function preparedFor(world: Beside, id: string, currency: string, parts: bigint, to: Fields): Promise<Attempt> {
  const prepared = await prepareFor(world, id, currency, parts, to);
  if (!prepared.ok) throw new Error(`${prepared.reason}: ${prepared.detail}`);
  return prepared.attempt;
}

/** What preparing one payout gives. */
export const prepareFor = (world: Beside, id: string, currency: string, parts: bigint, to: Fields): Promise<Prepared> =>
  world.rail.payout.prepare([{ id, currency, to, parts }], { spent: [], unconfirmed: [], indexes: [], changeIndex: 0 });
