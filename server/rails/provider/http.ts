import type { z } from 'zod';

/** No usable answer: whether a call had an effect is unknown. */
export class Unreachable extends Error {
  constructor(detail: string, cause?: unknown) {
    super(detail, { cause });
    this.name = 'Unreachable';
  }
}

/** A provider's answer, whatever its status. */
export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

export interface ProviderCall {
  readonly method?: 'GET' | 'POST' | 'PATCH';
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is; `form` and `json` say what they are by themselves. */
  readonly body?: string;
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 12_000;
const MAX_BYTES = 4_000_000;

/**
 * Calls a provider and gives its answer, also one that says no. Redirects are not followed: they could carry our secrets
 * elsewhere. Throws `Unreachable` for no answer, one that breaks off, or one beyond 4 MB. Neither address nor body is
 * ever part of the message: some providers want their secrets there.
 */
export async function callProvider(url: URL, call: ProviderCall = {}): Promise<Reply> {
  const { headers = {}, form, json, body, timeoutMs = TIMEOUT_MS } = call;
  const content = form
    ? { type: 'application/x-www-form-urlencoded', body: new URLSearchParams(form).toString() }
    : json !== undefined
      ? { type: 'application/json', body: JSON.stringify(json) }
      : body !== undefined
        ? { type: undefined, body }
        : undefined;
  try {
    const response = await fetch(url, {
      method: call.method ?? (content ? 'POST' : 'GET'),
      headers: { ...(content?.type && { 'content-type': content.type }), ...headers },
      ...(content && { body: content.body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, text: await readText(response), headers: response.headers };
  } catch (error) {
    if (error instanceof Unreachable) throw error;
    throw new Unreachable(`${url.host}: no answer`, error instanceof Error ? error.name : undefined);
  }
}

async function readText(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.length;
    if (size > MAX_BYTES) throw new Unreachable(`answer of over ${MAX_BYTES} bytes`);
    pieces.push(piece as Uint8Array);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** An answer's JSON by a schema; throws `Unreachable` where it has another shape: what came of the call is unknown. */
export function jsonOf<S extends z.ZodType>(reply: Reply, schema: S): z.output<S> {
  let value: unknown;
  try {
    value = JSON.parse(reply.text);
  } catch (error) {
    throw new Unreachable(`status ${reply.status}, no JSON`, error);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const at = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new Unreachable(`status ${reply.status}, an answer of another shape at "${at}"`);
}
