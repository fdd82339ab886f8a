/**
 * Serves the built site with the stub of the API, so that people can look at it: `node web/testing/serve.ts [port] [live]
 * [world]`. `live` leaves out the sandbox's notes; `world` offers many currencies. Prints the URL. The product's own server is
 * `server/bin/api.ts`.
 */
import { readFile } from 'node:fs/promises';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { CallError, type Client, createClient } from '@kurs/contract/client';
import { type Method, takesBody } from '../../contract/route.ts';
import * as PATHS from '../../contract/paths.ts';
import type { CreateSite, Site, SiteConfig, SiteOptions, SiteRequest } from '../site.ts';
import { sourceHash } from '../sources.mjs';
import { compressed } from './page-size.ts';
import { stubClient, stubTransport } from './stub.ts';
import { worldTransport } from './world.ts';

const WEB = new URL('..', import.meta.url);
const TYPES: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
};

let built: Promise<void> | undefined;

/** Builds the site unless its build is up to date. The code that builds is imported only in that case. */
async function buildIfNew(): Promise<void> {
  const { buildId } = await readFile(new URL('dist/server/assets.json', WEB), 'utf8').then(
    (text) => JSON.parse(text) as { buildId: string },
    () => ({ buildId: undefined }),
  );
  if (buildId !== sourceHash()) await (await import('../build.ts')).build();
}

/** Creates the built site with the stub of the API. The site's sources must not change while this process runs. */
export async function stubSite(options: {
  url: string;
  mode?: 'sandbox' | 'live';
  client?: Client;
  clientFor?: SiteOptions['client'];
  config?: Partial<SiteConfig>;
  opened?: SiteOptions['opened'];
}): Promise<Site> {
  await (built ??= buildIfNew());
  const { createSite } = (await import(new URL('dist/server/site.js', WEB).href)) as { createSite: CreateSite };
  const client = options.client ?? stubClient(() => new Date());
  return createSite({
    config: {
      name: 'Kurs',
      url: options.url,
      mode: options.mode ?? 'sandbox',
      clientId: 'web',
      formOrigins: ['https://pay.example'],
      contacts: { email: 'help@kurs.example' },
      supportHours: { from: '08:00', to: '23:00' },
      ...options.config,
    },
    client: options.clientFor ?? (() => client),
    ...(options.opened && { opened: options.opened }),
    onError: (error) => {
      if (!String(error).includes('The stub is broken'))
        process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      return 'ref-0001';
    },
  });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

async function serveFile(path: string, response: ServerResponse): Promise<boolean> {
  if (!/^\/(assets|locales|builds|animations|brand|licences)\/|^\/favicon\.svg$/.test(path) || path.includes('..')) return false;
  const content = await readFile(join(new URL('dist/client', WEB).pathname, path)).catch(() => undefined);
  if (!content) return false;
  const type = TYPES[extname(path)] ?? 'application/octet-stream';
  response.setHeader('content-type', type);
  response.setHeader('cache-control', path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (type !== 'font/woff2') response.setHeader('content-encoding', 'br');
  response.end(type === 'font/woff2' ? content : compressed(content));
  return true;
}

/** Returns the values of a route's path parameters in a path; undefined if the path is not the route's. */
function named(route: string, path: string): Readonly<Record<string, string>> | undefined {
  const [names, values] = [route.split('/'), path.split('/')];
  const isFit = names.length === values.length && names.every((name, at) => name.startsWith(':') || name === values[at]);
  if (!isFit) return undefined;
  return Object.fromEntries(names.flatMap((name, at) => (name.startsWith(':') ? [[name.slice(1), values[at] ?? '']] : [])));
}

async function serveApi(
  url: URL,
  body: string,
  method: string,
  response: ServerResponse,
  transport: ReturnType<typeof stubTransport>,
): Promise<void> {
  const path = url.pathname.slice('/api/v1'.length);
  const found = Object.entries(PATHS).find(([, route]) => route.method === method && named(route.path, path));
  const input = {
    ...(found && named(found[1].path, path)),
    ...(takesBody({ method: method as Method }) ? (JSON.parse(body || '{}') as object) : Object.fromEntries(url.searchParams)),
  };
  response.setHeader('content-type', 'application/json');
  try {
    const data = await transport({
      name: found?.[0] ?? '',
      method: method as 'GET',
      path: url.pathname,
      input: input as Record<string, unknown>,
      options: {},
    });
    response.end(JSON.stringify({ data }));
  } catch (error) {
    const failure = error instanceof CallError ? error : new CallError(500, {});
    response.statusCode = failure.status || 500;
    response.end(JSON.stringify({ code: failure.code, message: failure.message, errors: failure.errors }));
  }
}

/**
 * Starts a server of the built site and the stub on a port (0: any free port). Returns the server's URL and a function that stops
 * it.
 */
export async function serve(
  port = 0,
  mode: 'sandbox' | 'live' = 'sandbox',
  transport = stubTransport(() => new Date()),
  config: Partial<SiteConfig> = {},
): Promise<{ url: string; close: () => void }> {
  const site = Promise.withResolvers<Site>();
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    const body = await bodyOf(request);
    if (url.pathname.startsWith('/api/v1/')) return void serveApi(url, body, request.method ?? 'GET', response, transport);
    if (await serveFile(url.pathname, response)) return;
    const cookies = Object.fromEntries(
      (request.headers.cookie ?? '')
        .split('; ')
        .filter(Boolean)
        .map((pair) => [pair.split('=')[0] ?? '', decodeURIComponent(pair.split('=').slice(1).join('='))]),
    );
    const requested: SiteRequest = {
      method: request.method ?? 'GET',
      url: request.url ?? '/',
      headers: request.headers as Record<string, string>,
      cookies,
      body,
    };
    const answer = await (await site.promise).handle(requested);
    response.statusCode = answer.status;
    for (const [name, value] of answer.headers) response.appendHeader(name, value);
    response.setHeader('content-encoding', 'br');
    response.end(compressed(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  site.resolve(await stubSite({ url, mode, client: createClient(transport), config }));
  return { url, close: () => server.close() };
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const clock = (): Date => new Date();
  const { url } = await serve(
    Math.trunc(+(process.argv[2] ?? '0')),
    process.argv.includes('live') ? 'live' : 'sandbox',
    process.argv.includes('world') ? worldTransport(clock) : stubTransport(clock),
  );
  process.stdout.write(`${url}\n`);
}
