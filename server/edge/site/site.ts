import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem, routes } from '@kurs/contract';
import { CallError, type Client, type Transport, createClient } from '@kurs/contract/client';
import type { CreateSite, SiteConfig, SiteLocale, SiteRequest, SiteResponse } from '@kurs/web';
import type { Clicks } from '../../referrals/index.ts';
import { type Server, log, monotonicMs, newId, problemBody, requestId } from '../../platform/index.ts';
import { type ReceivedForm, SENT, readForm, receiveForm, requireTakesFiles } from './site-forms.ts';
import { PageCache, type ReadyPage, readyPage, sendReady } from './page-cache.ts';
import { type ReadyFile, compressed, readyFile, sendFile, smallestFor } from '../files/ready-file.ts';
import { openStatic } from '../files/static-files.ts';

const DIST = new URL('../../../web/dist/', import.meta.url);
/** Time for which the process caches answers that all pages need (currencies, directions), in ms. */
const ANSWER_MS = 500;

/** Returns the id of the built site. Throws if it has not been built. */
export function buildOfSite(): string {
  return (JSON.parse(readFileSync(new URL('client/builds/latest.json', DIST), 'utf8')) as { id: string }).id;
}

interface SiteOptions {
  readonly config: SiteConfig;
  readonly ratesVersion: () => string;
  readonly now: () => Date;
  readonly clicks: Pick<Clicks, 'open'>;
}

/**
 * Mounts the built site on the server: static files from memory, pages by their routes. The site's client calls the mounted
 * routes within the process. Pages without a session are rendered and compressed at most once a second for each page, language,
 * theme and version of the rates.
 */
export async function mountSite(server: Server, options: SiteOptions): Promise<void> {
  const { createSite } = (await import(new URL('server/site.js', DIST).href)) as { createSite: CreateSite };
  const serveStatic = await openStatic(DIST.pathname);
  const files = storeFiles();
  const { render, keyOf } = openPages(server, createSite, options);
  const pages = new PageCache();
  const isSecure = options.config.url.startsWith('https:');

  server.answerFirst((request, response) => {
    const key = keyOf(request);
    const page = key === undefined ? undefined : pages.ready(key);
    if (page) sendReady(request, response, page);
    return page !== undefined;
  });

  /** True for a URL of the API, and for a URL that a route outside the site serves, even if only by another method. */
  const isOthers = (url: string): boolean => url.startsWith('/api/') || server.methodsAt(url.split('?')[0] ?? '').length > 0;

  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const key = keyOf(request.raw);
    if (key !== undefined) return send(request, reply, await pages.get(key, () => render(request)));
    if (isOthers(request.url)) {
      reply.callNotFound();
      return reply;
    }
    if (serveStatic(request, reply)) return reply;
    const response = await render(request);
    if (isFile(response)) return sendFile(request, reply, files(request.url, response));
    if (request.method === 'POST' && !NO_FORM.has(response.status)) server.introduceDevice(request, reply, isSecure);
    return send(request, reply, readyPage(response));
  };

  server.fallBackTo(answer);
  await server.app.register(async (scope) => {
    acceptForms(scope, server);
    scope.route({ method: ['GET', 'POST'], url: '/*', handler: answer });
  });
}

/** Renders the pages of the site. */
interface Pages {
  readonly render: (request: FastifyRequest) => Promise<SiteResponse>;
  /** Returns the key under which the requested page is cached; undefined if the page can't be shared. */
  readonly keyOf: (request: IncomingMessage) => string | undefined;
}

function openPages(server: Server, createSite: CreateSite, { config, ratesVersion, now, clicks }: SiteOptions): Pages {
  const { clientId } = config;
  const origins = new WeakMap<SiteRequest, Origin>();
  const shared = createAnswers();
  const site = createSite({
    config,
    now,
    opened: async (request, reference) => {
      const origin = origins.get(request) as Origin;
      return clicks.open(reference, {
        method: request.method,
        headers: request.headers,
        device: () => server.contextOf(origin.request, NOBODY).deviceKey,
        network: () => server.contextOf(origin.request, NOBODY).caller.network,
      });
    },
    client: (request, locale, as) => {
      const origin = origins.get(request) as Origin;
      return boundClient(server, as === 'nobody' ? withoutSession(origin) : origin, { locale, shared, clientId });
    },
    onError: (error) => {
      const reference = requestId() ?? newId();
      log.error('page failed', { requestId: reference, error });
      return reference;
    },
  });
  return {
    async render(request) {
      const requested = await siteRequest(request);
      const origin: Origin = { request, isPersonal: false };
      origins.set(requested, origin);
      const { headers, ...response } = await site.handle(requested);
      const all = [...headers, ...Object.entries(server.headers)];
      return { ...response, headers: all, isCacheable: response.isCacheable && !origin.isPersonal };
    },
    keyOf({ method = '', url = '', headers }) {
      const { authorization } = headers;
      const page = site.cacheKey({ method, url, headers: { authorization }, cookies: cookiesOf(headers.cookie) });
      return page && `${page} ${ratesVersion()}`;
    },
  };
}

/** Accepts the bodies of forms. Forms with files are limited by network, and may take longer to arrive. */
function acceptForms(scope: Server['app'], server: Server): void {
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  );
  scope.addContentTypeParser('multipart/form-data', async (_request: FastifyRequest, body: IncomingMessage) => receiveForm(body));
  scope.addHook('onRequest', async (request) => {
    if (!request.headers['content-type']?.startsWith('multipart/form-data')) return;
    requireTakesFiles(request.url);
    await server.contextOf(request, NOBODY).limitNetwork('forms with files', SENT);
    server.allowSlow(request);
  });
}

/** Context of a call by a visitor; only device and network are added to it. */
const NOBODY = { clientId: 'public', locale: 'en', idempotencyKey: undefined } as const;

function send(request: FastifyRequest, reply: FastifyReply, { status, head, bodies }: ReadyPage): FastifyReply {
  const { encoding, bytes } = smallestFor(request.headers['accept-encoding'], bodies);
  if (encoding) reply.header('content-encoding', encoding);
  return reply.code(status).headers(head).send(bytes);
}

/** Statuses with which a form is refused: the page doesn't exist, has no form, or the form is of another site. */
const NO_FORM: ReadonlySet<number> = new Set([403, 404, 405]);

/**
 * True for a small file that a route of the site renders and that is the same for everybody, such as the site map. Pages are
 * never public for caches.
 */
const isFile = ({ status, headers }: SiteResponse): boolean =>
  status === 200 && headers.some(([name, value]) => name === 'cache-control' && value.startsWith('public'));

/** Returns a function that prepares a small file of the site for sending, and caches it until its content changes. */
function storeFiles(): (url: string, response: SiteResponse) => ReadyFile {
  const cached = new Map<string, ReadyFile>();
  return (url, { headers, body: text }) => {
    const path = url.split('?')[0] ?? '';
    const body = Buffer.from(text);
    const known = cached.get(path);
    if (known?.bodies.body.equals(body)) return known;
    const file = readyFile(compressed(body), Object.fromEntries(headers));
    cached.set(path, file);
    return file;
  };
}

async function siteRequest(request: FastifyRequest): Promise<SiteRequest> {
  const headers = textsOf(request.headers);
  return {
    method: request.method,
    url: request.url,
    headers,
    cookies: cookiesOf(headers['cookie']),
    ...(typeof request.body === 'string' ? { body: request.body } : {}),
    ...(isReceived(request.body) ? await readForm(request.headers['content-type'] ?? '', request.body) : {}),
  };
}

function textsOf(given: IncomingMessage['headers']): Record<string, string | undefined> {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(given)) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  return headers;
}

const isReceived = (body: unknown): body is ReceivedForm => typeof body === 'object' && body !== null && 'isWhole' in body;

function cookiesOf(header: string | undefined): Record<string, string> {
  const cookies: Record<string, string> = {};
  if (header === undefined) return cookies;
  for (const part of header.split(';')) {
    const at = part.indexOf('=');
    if (at < 1) continue;
    const value = part.slice(at + 1).trim();
    try {
      cookies[part.slice(0, at).trim()] = decodeURIComponent(value);
    } catch {
      cookies[part.slice(0, at).trim()] = value;
    }
  }
  return cookies;
}

/** Cache of answers that are the same for everyone with the same language, by call and language. */
type Answers = (key: string, ask: () => Promise<unknown>) => Promise<unknown>;

function createAnswers(): Answers {
  const cached = new Map<string, { readonly until: number; readonly answer: Promise<unknown> }>();
  return (key, ask) => {
    const now = monotonicMs();
    const found = cached.get(key);
    if (found && found.until > now) return found.answer;
    const answer = ask();
    cached.set(key, { until: now + ANSWER_MS, answer });
    answer.catch(() => cached.delete(key));
    return answer;
  };
}

/**
 * The request that a page's calls are made for. `isPersonal`: true once an answer depended on something that identifies the
 * visitor.
 */
interface Origin {
  readonly request: Parameters<Server['contextOf']>[0];
  isPersonal: boolean;
}

/** Returns the same origin without its session, since a call with an ended session would be refused. */
function withoutSession({ request: { headers, url, raw } }: Origin): Origin {
  const { authorization: _, ...rest } = headers;
  return { request: { headers: rest, url, raw }, isPersonal: false };
}

/** Calls whose answers depend neither on the caller nor on any input. */
const SHARED: ReadonlySet<string> = new Set(['currencies', 'directions', 'landing', 'rules'] satisfies (keyof typeof routes)[]);

const isShared = (name: string, input: unknown): boolean => SHARED.has(name) && Object.keys((input ?? {}) as object).length === 0;

/**
 * Returns the site's typed client, which calls routes within the process. Handlers, authorisation and schemas are the same as
 * over HTTP.
 */
function boundClient(
  server: Server,
  origin: Origin,
  { locale, shared, clientId }: { readonly locale: SiteLocale; readonly shared: Answers; readonly clientId: string },
): Client {
  const transport: Transport = async ({ name, input, options }) => {
    const as = { clientId, locale, idempotencyKey: options.idempotencyKey };
    const context = server.contextOf(origin.request, as);
    const ask = (): Promise<unknown> => server.call(routes[name as keyof typeof routes], input, context);
    try {
      return await (isShared(name, input) && context.bearer === undefined ? shared(`${name} ${locale}`, ask) : ask());
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const body = problemBody(error, locale);
      throw new CallError(error.status, body);
    } finally {
      origin.isPersonal ||= context.isPersonal;
    }
  };
  return createClient(transport);
}
