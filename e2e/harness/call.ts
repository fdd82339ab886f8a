/** An answer of the API as it stands on the wire. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  /** The problem's code; empty for a success. */
  readonly code: string;
  /** Words per field. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
}

/** Asks the API without the typed client, which could not say what is wrong on purpose. A text is sent as it is. */
export async function call(
  base: string,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const response = await fetch(`${base}/api/v1${path}`, {
    method,
    headers: { 'client-id': 'web', ...(method === 'POST' && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const problem = readProblem(text);
  return { status: response.status, type: response.headers.get('content-type') ?? '', text, ...problem };
}

function readProblem(text: string): Pick<Answer, 'code' | 'errors'> {
  try {
    const { code = '', errors = {} } = JSON.parse(text) as Partial<Pick<Answer, 'code' | 'errors'>>;
    return { code, errors };
  } catch {
    return { code: '', errors: {} };
  }
}
