import type { z } from 'zod';

/** No usable answer came: it is unknown if the call had an effect. */
export class Unreachable extends Error {
  constructor(detail: string, cause?: unknown) {
    super(detail, { cause });
    this.name = 'Unreachable';
  }
}

/** A provider's answer of any status. */
export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

export interface ProviderCall {
  readonly method?: 'GET' | 'POST' | 'PATCH';
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent unchanged, without a content type; `form` and `json` set one. */
  readonly body?: string;
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 12_000;
const MAX_BYTES = 4_000_000;

/**
 * Calls a provider and returns its answer, even a refusal. Redirects are not followed: they could carry our secrets elsewhere.
 * Throws `Unreachable` if no answer comes, or it breaks off or exceeds 4 MB. The error's message names at most the host: some
 * providers require secrets in the path or the body.
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

/** Returns an answer's JSON, checked by a schema. Throws `Unreachable` for another shape: the effect of the call is unknown. */
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
