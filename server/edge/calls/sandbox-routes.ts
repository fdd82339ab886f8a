import type { FastifyReply, FastifyRequest } from 'fastify';
import { PROBLEMS, Problem, type ProblemCode, type Route, routes } from '@kurs/contract';
import { holderWithLevel, setLevel } from '../../compliance/index.ts';
import { readOrder } from '../../exchange/index.ts';
import { untilFresh } from '../../rates/index.ts';
import { type Db, type Server, type Tokens, advanceClock } from '../../platform/index.ts';

export interface SandboxDeps {
  /** URL of the sandbox's public port. */
  readonly url: string;
  readonly db: Db;
  readonly tokens: Tokens;
}

const PATIENCE_MS = 30_000;

/** Mounts the sandbox's calls and pages; most are passed on to the sandbox process. Loaded in sandbox mode only. */
export function mountSandbox(server: Server, deps: SandboxDeps): void {
  const { url, db } = deps;
  for (const route of [
    routes.sandboxMail,
    routes.sandboxMine,
    routes.sandboxReorg,
    routes.sandboxBalance,
    routes.sandboxAddress,
    routes.sandboxFaults,
  ]) {
    server.mount(route as Route, (input) => passOn(url, route, input as object) as never);
  }
  server.mount(
    routes.sandboxPay,
    async (input) => passOn(url, routes.sandboxPay, { ...input, ...(await secretOf(deps, input)) }) as never,
  );
  server.mount(routes.sandboxLevel, async ({ email, level }) => {
    await db.tx(async (tx) => {
      const { id } = await holderWithLevel(tx, email);
      await setLevel(tx, id, level as 0 | 1 | 2 | 3, 'sandbox');
    });
    return { level };
  });
  server.mount(routes.sandboxClock, async ({ skip }) => {
    await advanceClock(db, skip * 1_000);
    const now = await db.now();
    await untilFresh(now);
    return { now: now.toISOString() };
  });
  void server.app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.route({ method: ['GET', 'POST'], url: '/sandbox/*', handler: (request, reply) => showPage(url, request, reply) });
  });
}

/**
 * Returns an order's token. In the sandbox an order may be named without its token, since the simulated customer knows all
 * orders.
 */
async function secretOf(
  { db, tokens }: SandboxDeps,
  input: { order_id?: string | undefined; token?: string | undefined },
): Promise<{ token?: string }> {
  if (input.order_id === undefined || input.token !== undefined) return {};
  const order = await readOrder(db, input.order_id);
  if (!order) throw new Problem('order_not_found');
  return { token: tokens.make('order', order.view.id, order.tokenVersion) };
}

async function passOn(sandboxUrl: string, route: Route, input: object): Promise<unknown> {
  const url = new URL(`/api/v1${route.path}`, sandboxUrl);
  const request: RequestInit = { method: route.method, signal: AbortSignal.timeout(PATIENCE_MS) };
  if (route.method === 'GET') {
    for (const [name, value] of Object.entries(input)) if (value !== undefined) url.searchParams.set(name, String(value));
  } else {
    request.headers = { 'content-type': 'application/json' };
    request.body = JSON.stringify(input);
  }
  const response = await fetch(url, request).catch((cause: unknown) => {
    throw new Problem('unavailable', { cause });
  });
  const body = (await response.json()) as { data?: unknown; code?: string; errors?: Record<string, { code: string }> };
  if (response.ok) return body.data;
  const known = body.code !== undefined && Object.hasOwn(PROBLEMS, body.code);
  throw new Problem(known ? (body.code as ProblemCode) : 'internal', body.errors ? { errors: body.errors } : { cause: body });
}

/**
 * Returns the URL of a page of the sandbox. Undefined for a path whose URL is elsewhere: on another host (`http://…`, `//…`), or
 * outside `/sandbox/` (`..`, `%2e%2e`).
 */
export function addressOfPage(sandboxUrl: string, request: string): URL | undefined {
  const address = URL.parse(request, sandboxUrl);
  if (!request.startsWith('/') || address?.origin !== new URL(sandboxUrl).origin) return undefined;
  return address.pathname.startsWith('/sandbox/') && address.username === '' ? address : undefined;
}

/** Passes a page or form of a simulated provider on to a browser, with redirects and cookies. */
async function showPage(sandboxUrl: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { 'content-type': type, cookie } = request.headers;
  const address = addressOfPage(sandboxUrl, request.url);
  if (!address) throw new Problem('not_found');
  const response = await fetch(address, {
    method: request.method,
    headers: { ...(type !== undefined && { 'content-type': type }), ...(cookie !== undefined && { cookie }) },
    ...(request.body instanceof Buffer && { body: new Uint8Array(request.body) }),
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch((cause: unknown) => {
    throw new Problem('unavailable', { cause });
  });
  reply.code(response.status).header('content-type', response.headers.get('content-type') ?? 'text/html; charset=utf-8');
  const location = response.headers.get('location');
  if (location !== null) reply.header('location', location);
  for (const made of response.headers.getSetCookie()) reply.header('set-cookie', made);
  // This policy makes the page's forms send their origin, as forms of real providers do.
  return reply
    .headers({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin' })
    .send(Buffer.from(await response.arrayBuffer()));
}
