import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { Problem, fieldProblem, type Input, type Output, type ProblemDetails, type Route, routes } from '@kurs/contract';
import { CallError, createClient, httpTransport, type Client } from '@kurs/contract/client';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChainCounterpart, type Counterpart, type Payment, Refused, type Where } from './counterpart.ts';
import { type FaultRates, Faults } from './faults.ts';
import type { Google } from './google/index.ts';
import { type Mailbox, mailPage, openSmtp } from './mail/index.ts';
import { mountRates } from './rates/index.ts';
import type { RobotCheck } from './robot-check/index.ts';
import type { Screening } from './screening/index.ts';
import type { Shop } from './shop/index.ts';

/**
 * Options of the sandbox: the counterparts of all rails in one process. Its public port serves the rails' protocols
 * (`/sandbox/<rail>/…`), pages for people and the sandbox calls of the contract. Its control port is for the supervisor and tests
 * on this machine.
 */
interface SandboxOptions {
  readonly counterparts: readonly Counterpart[];
  readonly mailbox: Mailbox;
  /** Counterpart of the sign-in with Google; no rail. */
  readonly google: Google;
  /** Counterpart of the robot check, if the product uses a third party's; no rail. */
  readonly robotCheck?: RobotCheck;
  /** Counterpart of screening, if the product uses it; no rail. */
  readonly screening?: Screening;
  /** Shop that sells by the payment gate; no rail. */
  readonly shop?: Shop;
  /** Ports; 0 for any free one. */
  readonly ports: { readonly site: number; readonly control: number; readonly smtp: number };
  /** Base URL of the product's site; absent where there is no product. */
  readonly product?: string;
  /**
   * Base URL of its API, which receives payments' messages and returns how to pay an order. If absent, `pay` needs `currency`,
   * `to` and `amount`.
   */
  readonly api?: string;
}

export interface Sandbox {
  readonly site: string;
  readonly control: string;
  readonly smtp: string;
  /** Configuration that the product's processes need to reach everything here. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Market sources. They belong to no rail and have their own faults and shifts. */
interface Markets {
  readonly faults: Faults;
  readonly moves: Map<string, bigint>;
}

const LOCALHOST = '127.0.0.1';
const SHOP = '/sandbox/shop';
/** Paths of first pages without a last slash. The mailbox is a single page. */
const FIRST_PAGE = /^\/sandbox\/(?!mail\b)[\w-]+$/;

/** Opens both ports and the mail server. Closing the sandbox closes the counterparts too. */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { counterparts, google, robotCheck, screening, shop, mailbox, ports } = options;
  const smtp = await openSmtp(mailbox, ports.smtp);
  const site = makeServer();
  // Links and forms of first pages are relative.
  site.addHook('onRequest', async ({ method, url }, reply) =>
    method === 'GET' && FIRST_PAGE.test(url) ? reply.redirect(`${url}/`) : undefined,
  );
  for (const counterpart of counterparts) {
    await site.register(async (scope) => counterpart.mount(scope), { prefix: `/sandbox/${counterpart.rail}` });
  }
  const markets: Markets = { faults: new Faults(), moves: new Map() };
  await site.register(async (scope) => mountRates(scope, markets), { prefix: '/sandbox/rates' });
  await site.register(async (scope) => google.mount(scope), { prefix: '/sandbox/google' });
  if (robotCheck) await site.register(async (scope) => robotCheck.mount(scope), { prefix: `/sandbox/${robotCheck.name}` });
  if (screening) await site.register(async (scope) => screening.mount(scope), { prefix: '/sandbox/screening' });
  if (shop) await site.register(async (scope) => shop.mount(scope, () => `${siteUrl}${SHOP}/hook`), { prefix: SHOP });
  mountCalls(site, options, markets);
  site.get<{ Querystring: { to?: string } }>('/sandbox/mail', async ({ query }, reply) => {
    const to = query.to ?? '';
    return reply.type('text/html; charset=utf-8').send(mailPage(mailbox.list(to === '' ? undefined : to), to));
  });
  const siteUrl: string = await listen(site, ports.site);

  const environment = environmentOf(options, siteUrl);
  const control = makeServer();
  mountControl(control, options, markets, environment);
  const controlUrl = await listen(control, ports.control);
  return {
    site: siteUrl,
    control: controlUrl,
    smtp: `smtp://${LOCALHOST}:${smtp.port}`,
    environment,
    close: async () => {
      await Promise.all([site.close(), control.close(), smtp.close()]);
      await Promise.all(counterparts.map((counterpart) => counterpart.close()));
    },
  };
}

/** Returns the product's configuration: addresses by variable, and the settings of all providers in one variable. */
function environmentOf(
  { counterparts, google, robotCheck, screening, shop, product, api }: SandboxOptions,
  site: string,
): Record<string, string> {
  const whereOf = (rail: string): Where => ({
    base: `${site}/sandbox/${rail}`,
    pages: `${product ?? site}/sandbox/${rail}`,
    ...(api !== undefined && { webhook: `${api}/api/v1/payment/${rail}/confirmation` }),
  });
  const rails = counterparts.map((counterpart) => counterpart.environment(`${site}/sandbox/${counterpart.rail}`));
  const providers = counterparts.flatMap((one) => (one.provider ? [[one.rail, one.provider(whereOf(one.rail))]] : []));
  const settings = providers.length > 0 ? { KURS_SANDBOX_PROVIDERS: JSON.stringify(Object.fromEntries(providers)) } : {};
  const check = robotCheck?.environment(whereOf(robotCheck.name));
  const screens = screening?.environment(whereOf('screening'));
  // An operator may name another private origin.
  const hook = shop && !process.env['KURS_PRIVATE_WEBHOOKS'] ? { KURS_PRIVATE_WEBHOOKS: site } : {};
  return Object.assign({}, ...rails, settings, google.environment(whereOf('google')), check, screens, hook) as Record<
    string,
    string
  >;
}

/** Mounts the contract's sandbox calls. `level` and `clock` are served by the product itself. */
function mountCalls(app: FastifyInstance, options: SandboxOptions, markets: Markets): void {
  const { counterparts, mailbox, api } = options;
  const client = api === undefined ? undefined : productClient(api);
  const ofCurrency = (currency: string): Counterpart =>
    found('currency', counterparts, (one) => one.currencies.includes(currency));
  const ofChain = (rail: string): ChainCounterpart => found('chain', counterparts.filter(isChain), (one) => one.rail === rail);

  call(app, routes.sandboxMail, async ({ to }) => mailbox.list(to));
  call(app, routes.sandboxPay, async (input) => {
    const what = await whatToPay(input, client);
    const { currency, amount } = what;
    const { voucher, ...paid } = await ofCurrency(currency).pay({ ...what, fee: input.fee, isReplaceable: input.replaceable });
    if (voucher) await enter(input, client, voucher);
    return { ...paid, paid: { amount, currency } };
  });
  call(app, routes.sandboxMine, async ({ chain, blocks }) => ({ height: await ofChain(chain).mine(blocks) }));
  call(app, routes.sandboxReorg, async ({ chain, depth, drop }) => ({ height: await ofChain(chain).reorg(depth, drop) }));
  call(app, routes.sandboxBalance, async ({ currency, account }) => ({
    amount: await ofCurrency(currency).balance(currency, account),
    currency,
  }));
  call(app, routes.sandboxAddress, async ({ currency }) => ({ address: await ofCurrency(currency).address(currency) }));
  call(app, routes.sandboxFaults, async ({ rail, ...rates }) => {
    faultsOf(rail, options, markets).set(rates);
    return { rail };
  });
}

/** True if a counterpart has blocks. */
const isChain = (one: Counterpart): one is ChainCounterpart => one.mine !== undefined && one.reorg !== undefined;

/** Returns the faults of a name: a rail, `rates` for the markets, `google`, `screening`, or the robot check. */
function faultsOf(name: string, { counterparts, google, robotCheck, screening }: SandboxOptions, markets: Markets): Faults {
  if (name === 'google') return google.faults;
  if (robotCheck?.name === name) return robotCheck.faults;
  if (screening && name === 'screening') return screening.faults;
  return name === 'rates' ? markets.faults : found('rail', counterparts, ({ rail }) => rail === name).faults;
}

/**
 * Mounts the control port for the supervisor and tests: funding of the desk, all faults, shifts of the market, and each
 * counterpart's tricks.
 */
function mountControl(
  app: FastifyInstance,
  options: SandboxOptions,
  markets: Markets,
  environment: Readonly<Record<string, string>>,
): void {
  const { counterparts, google, screening } = options;
  type Body<T> = { Body: T };
  app.get('/ready', async () => ({ ready: true, rails: counterparts.map(({ rail }) => rail), environment }));
  app.post<Body<{ currency: string; to: string; amount: string }>>('/fund', async ({ body }) => {
    await found('currency', counterparts, (one) => one.currencies.includes(body.currency)).fund(body);
    return { funded: true };
  });
  app.post<Body<{ rail: string } & Partial<FaultRates>>>('/faults', async ({ body: { rail, ...rates } }) => {
    faultsOf(rail, options, markets).set(rates);
    return { rail };
  });
  app.post<Body<{ asset: string; millionths: number }>>('/rates/move', async ({ body: { asset, millionths } }) => {
    markets.moves.set(asset, BigInt(millionths));
    return { asset };
  });
  const beside = [
    { rail: 'google', tricks: google.tricks },
    ...(screening ? [{ rail: 'screening', tricks: screening.tricks }] : []),
  ];
  for (const { rail, tricks } of [...counterparts, ...beside]) {
    for (const [name, trick] of Object.entries(tricks ?? {})) {
      app.post<Body<Record<string, unknown>>>(`/${rail}/${name}`, async ({ body }) => trick(body));
    }
  }
}

/** Pays an order by entering the voucher that the customer bought. */
async function enter(
  { order_id: id, token }: Input<typeof routes.sandboxPay>,
  client: Client | undefined,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  if (id !== undefined && token !== undefined && client) await client.orderRedeem({ id, token, fields: { ...fields } });
}

type PayOf = Extract<Awaited<ReturnType<Client['trackOrder']>>, { pay?: unknown }>['pay'];

/** Returns an order's payment instruction and due amount, replaced by values of the caller. */
async function whatToPay(
  input: Input<typeof routes.sandboxPay>,
  client: Client | undefined,
): Promise<Pick<Payment, 'currency' | 'to' | 'amount' | 'way'>> {
  const { order_id: id, token } = input;
  const order = id !== undefined && token !== undefined && client ? await prepared(client, id, token) : undefined;
  const pay = order && 'pay' in order ? order.pay : undefined;
  const way = wayOf(pay);
  const due = order && 'due' in order ? order.due : undefined;
  const currency = input.currency ?? pay?.currency;
  const to = input.to ?? pay?.address ?? (pay && '');
  const amount = input.amount ?? due?.amount ?? pay?.amount;
  // The order expects no payment, and the caller did not give all values.
  if (order && (currency === undefined || to === undefined || amount === undefined)) throw new Problem('nothing_due');
  if (currency === undefined) throw fieldProblem('currency', 'required');
  if (to === undefined) throw fieldProblem('to', 'required');
  if (amount === undefined) throw fieldProblem('amount', 'required');
  return { currency, to, amount, ...(way && { way }) };
}

/** Number of polls and pause between them (in ms) while a provider prepares a payment. */
const PREPARING = { tries: 60, pause: 250 };

/** Returns an order once its payment is prepared or refused. */
async function prepared(client: Client, id: string, token: string): ReturnType<Client['trackOrder']> {
  for (let tries = 1; ; tries += 1) {
    const order = await client.trackOrder({ id, token });
    const waits = 'status' in order && order.status === 'waiting' && !('pay' in order) && !('pay_refused' in order);
    if (!waits || tries === PREPARING.tries) return order;
    await sleep(PREPARING.pause);
  }
}

function wayOf(pay: PayOf): Payment['way'] | undefined {
  if (pay?.kind !== 'redirect' || pay.url === undefined || Array.isArray(pay.fields)) return undefined;
  return { method: pay.method ?? 'GET', url: pay.url, fields: pay.fields ?? {} };
}

function productClient(base: string): Client {
  return createClient(httpTransport({ base, clientId: 'public', locale: () => 'en' }));
}

function found<C extends Counterpart>(field: string, counterparts: readonly C[], fits: (one: C) => boolean): C {
  const counterpart = counterparts.find(fits);
  if (!counterpart) throw fieldProblem(field, 'wrong_value');
  return counterpart;
}

/** Mounts a route of the contract. Its schemas check input and output; the answer is in `data`. */
function call<R extends Route>(app: FastifyInstance, route: R, work: (input: Input<R>) => Promise<Output<R>>): void {
  app.route({
    method: route.method,
    url: `/api/v1${route.path}`,
    handler: async (request) => {
      const parsed = route.input.safeParse(route.method === 'GET' ? request.query : (request.body ?? {}));
      if (!parsed.success) {
        const errors = parsed.error.issues.map(({ path, message }) => [path.join('.') || 'body', { code: message }]);
        throw new Problem('validation', { errors: Object.fromEntries(errors) as NonNullable<ProblemDetails['errors']> });
      }
      return { data: route.output.parse(await work(parsed.data as Input<R>)) };
    },
  });
}

function makeServer(): FastifyInstance {
  const app = Fastify({ logger: false, forceCloseConnections: true, routerOptions: { maxParamLength: 200 } });
  app.setErrorHandler((error, _request, reply) => fail(reply, error));
  return app;
}

/** Sends a failure with its code and the fields' codes. The product adds the words. */
function fail(reply: FastifyReply, error: unknown): FastifyReply {
  const problem = problemOf(error);
  const { errors } = problem.details;
  return reply
    .code(problem.status)
    .send({ code: problem.code, detail: error instanceof Error ? error.message : '', ...(errors && { errors }) });
}

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof Refused) return fieldProblem(error.field, 'wrong_value');
  if (error instanceof CallError)
    return error.code === 'order_not_found' ? new Problem('order_not_found') : new Problem('unavailable', { cause: error });
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : 500;
  return status === 400 || status === 415
    ? new Problem('validation', { cause: error })
    : new Problem('internal', { cause: error });
}

async function listen(app: FastifyInstance, port: number): Promise<string> {
  await app.listen({ host: LOCALHOST, port });
  return `http://${LOCALHOST}:${(app.server.address() as AddressInfo).port}`;
}
