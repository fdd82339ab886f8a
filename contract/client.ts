import * as PATHS from './paths.ts';
import type { Method, Output, Route, Sent } from './route.ts';
import type { Routes } from './routes/index.ts';

type Name = keyof Routes;
type CallResult<N extends Name> = Routes[N] extends { isList: true }
  ? { data: Output<Routes[N]>; meta: PageMeta }
  : Output<Routes[N]>;

export interface PageMeta {
  readonly current_page: number;
  readonly per_page: number;
  readonly last_page: number;
  readonly total: number;
  readonly is_more?: true | undefined;
  readonly next?: string | undefined;
  /** Only for a list that is too long to count. `to`: time of the oldest entry searched; `next`: cursor to search further. */
  readonly searched?: { readonly to: string | null; readonly next: string | null };
}

/** Fields of a problem's body that callers use. */
interface ProblemBody {
  readonly code?: string;
  readonly message?: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  readonly reference?: string;
  readonly order?: { readonly id: string; readonly token: string };
  readonly work?: number;
}

/** A failed call: the server's problem, or `network` if there was no answer. */
export class CallError extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: Readonly<Record<string, readonly string[]>>;
  readonly reference: string | undefined;
  /** With `calculation_used`: the order that was already placed from the calculation. */
  readonly order: { readonly id: string; readonly token: string } | undefined;
  /** With `bot_check_required`: required proof of work, for `/bot/challenge`. */
  readonly work: number | undefined;

  constructor(status: number, body: ProblemBody) {
    super(body.message ?? body.code ?? `HTTP ${status}`);
    this.name = 'CallError';
    this.status = status;
    this.code = body.code ?? 'network';
    this.errors = body.errors ?? {};
    this.reference = body.reference;
    this.order = body.order;
    this.work = body.work;
  }
}

export interface CallOptions {
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** Function that makes a call: over HTTP in the browser, or directly to the route's handler inside the server. */
export type Transport = (call: {
  readonly name: string;
  readonly method: Method;
  readonly path: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly options: CallOptions;
}) => Promise<unknown>;

export type Client = {
  readonly [N in Name]: (
    input: Routes[N] extends Route ? Sent<Routes[N]> : never,
    options?: CallOptions,
  ) => Promise<CallResult<N>>;
};

/** Methods and paths of some calls, by their names. */
type Paths<N extends Name> = { readonly [K in N]: { readonly method: Method; readonly path: string } };

/** Returns a typed client over a transport: `client.step1({ from: 'BTC', … })`. Errors are CallErrors. */
export const createClient = (transport: Transport): Client => clientOf(transport, (all ??= { ...PATHS }));

/** All paths as a plain object, since enumerating a module's namespace is slow. */
let all: typeof PATHS | undefined;

/**
 * Returns a client with some calls only, so that a page doesn't load the paths of others. Calls are created on access, since the
 * site makes a client for each page.
 */
export function clientOf<N extends Name>(transport: Transport, paths: Paths<N>): Pick<Client, N> {
  const get = (_: object, name: string | symbol): unknown => {
    const known = paths[name as N] as Paths<N>[N] | undefined;
    return (
      known &&
      ((input: Record<string, unknown> = {}, options: CallOptions = {}) =>
        transport({ name: name as N, method: known.method, path: known.path, input, options }))
    );
  };
  return new Proxy<object>(paths, { get }) as Pick<Client, N>;
}

/** Same as in `takesBody`, repeated here because that module loads the schemas. */
const WITH_BODY: ReadonlySet<Method> = new Set(['POST', 'PUT', 'PATCH']);
const RETRIED = new Set([408, 409, 425, 429, 500, 502, 503, 504]);

export interface HttpOptions {
  /** `''` for the same origin; a function if the base is known only at the call. */
  readonly base: string | (() => string);
  readonly clientId: string | (() => string);
  /** `include` makes a browser send cookies to another origin. */
  readonly credentials?: NonNullable<RequestInit['credentials']>;
  readonly locale: () => string;
  readonly token?: () => string | null;
  readonly fetch?: typeof fetch;
  /** Called with the headers of each answer, including refusals. */
  readonly onHeaders?: (headers: Headers) => void;
}

/**
 * Returns the HTTP transport. Arrays are sent as `name[]`. A call without a body is repeated once after a transient status, one
 * with a body never. Status 400–599 throws a CallError.
 */
export function httpTransport(http: HttpOptions): Transport {
  const send = http.fetch ?? ((...args: Parameters<typeof fetch>) => fetch(...args));
  return async ({ method, path, input, options }) => {
    const { url, rest } = fillPath(`${said(http.base)}/api/v1${path}`, input);
    const headers: Record<string, string> = {
      accept: 'application/json',
      'content-type': 'application/json',
      'client-id': said(http.clientId),
      'accept-language': http.locale(),
    };
    const token = http.token?.();
    if (token) headers['authorization'] = `Bearer ${token}`;
    if (options.idempotencyKey) headers['idempotency-key'] = options.idempotencyKey;
    const isBody = WITH_BODY.has(method);
    const request: RequestInit = { method, headers };
    if (options.signal) request.signal = options.signal;
    if (http.credentials) request.credentials = http.credentials;
    if (isBody) request.body = JSON.stringify(rest);
    const target = isBody ? url : url + queryOf(rest);
    for (let attempt = 0; ; attempt += 1) {
      const response = await send(target, request).catch((error: unknown) => {
        if (options.signal?.aborted) throw error;
        throw new CallError(0, { code: 'network' });
      });
      http.onHeaders?.(response.headers);
      if (!isBody && attempt === 0 && RETRIED.has(response.status)) continue;
      if (response.status === 204) return undefined;
      const body = (await response.json().catch(() => ({}))) as { data?: unknown; meta?: unknown };
      if (!response.ok) throw new CallError(response.status, body as ProblemBody);
      return body.meta === undefined ? body.data : body;
    }
  };
}

const said = (text: string | (() => string)): string => (typeof text === 'string' ? text : text());

function fillPath(path: string, input: Readonly<Record<string, unknown>>): { url: string; rest: Record<string, unknown> } {
  const rest = { ...input };
  const url = path.replace(/:([a-z_]+)/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(typeof value === 'string' ? value : '');
  });
  return { url, rest };
}

function queryOf(input: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue;
    if (Array.isArray(value)) for (const entry of value) query.append(`${name}[]`, String(entry));
    else query.append(name, String(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
