/** Response of the API as received. */
export interface ApiResponse {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  /** Code of the problem. Empty if the call succeeded. */
  readonly code: string;
  /** Error messages by field. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
}

/** Calls the API without the typed client, which can't send invalid input. A body that is a string is sent unchanged. */
export async function call(
  base: string,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<ApiResponse> {
  const response = await fetch(`${base}/api/v1${path}`, {
    method,
    headers: { 'client-id': 'web', ...(method === 'POST' && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const problem = readProblem(text);
  return { status: response.status, type: response.headers.get('content-type') ?? '', text, ...problem };
}

function readProblem(text: string): Pick<ApiResponse, 'code' | 'errors'> {
  try {
    const { code = '', errors = {} } = JSON.parse(text) as Partial<Pick<ApiResponse, 'code' | 'errors'>>;
    return { code, errors };
  } catch {
    return { code: '', errors: {} };
  }
}
