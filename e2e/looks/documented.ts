import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

type Method = 'GET' | 'POST';

interface Content {
  readonly content?: Readonly<Record<string, unknown>>;
}

interface Operation {
  readonly requestBody?: Content;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema: object;
  }[];
  readonly responses: Readonly<Record<string, Content>>;
}

/** Options of a call beside its input. */
export interface RequestOptions {
  readonly token?: string;
  /** Body that is sent unchanged instead of JSON. */
  readonly bytes?: { readonly type: string; readonly body: Uint8Array };
}

/** Response that conforms to the document. */
export interface Documented {
  readonly status: number;
  readonly data: unknown;
  readonly meta: unknown;
  /** Code of the problem, if the call failed. */
  readonly code: string | undefined;
  readonly errors: Readonly<Record<string, readonly string[]>>;
  readonly text: string;
}

/** Client that validates each input and response against the schemas of the served document. */
export interface DocumentedApi {
  /**
   * Makes a call. Throws an error if the document doesn't have this call, this response or its shape. With `isGood` it also
   * throws if the document doesn't allow the input.
   */
  ask(method: Method, path: string, input: object, request?: RequestOptions & { readonly isGood?: boolean }): Promise<Documented>;
}

/** Reads the document of a running product and returns a client for it. */
export async function documentedApi(url: string): Promise<DocumentedApi> {
  const document = (await (await fetch(`${url}/api/v1/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (formats as unknown as { default: (ajv: Ajv2020) => void }).default(ajv);
  ajv.addSchema(document, 'api');
  const compiled = new Map<string, ValidateFunction>();
  const check = (what: string, steps: readonly string[], value: unknown): void => {
    const pointer = steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `api#/${pointer}` });
    compiled.set(pointer, validate);
    if (!validate(value)) throw new Error(`${what}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(value)}`);
  };

  return {
    async ask(method, path, input, { token, bytes, isGood = false } = {}) {
      const full = `/api/v1${path}`;
      const operation = document.paths[full]?.[method.toLowerCase()];
      const what = `${method} ${path}`;
      if (!operation) throw new Error(`${what} is not documented`);
      const at = ['paths', full, method.toLowerCase()];
      const type = bytes?.type ?? 'application/json';
      if (method === 'POST' && isGood) {
        if (!operation.requestBody?.content?.[type]) throw new Error(`${what} takes no ${type}`);
        if (!bytes) check(`${what} asked`, [...at, 'requestBody', 'content', type, 'schema'], input);
      }
      if (method === 'GET' && isGood)
        checkQuery(what, operation, input, (index, value) =>
          check(`${what} asked`, [...at, 'parameters', `${index}`, 'schema'], value),
        );
      const response = await fetch(`${url}${full}${method === 'GET' ? queryOf(input) : ''}`, {
        method,
        headers: {
          'client-id': 'web',
          ...(method === 'POST' && { 'content-type': type }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        ...(method === 'POST' && { body: bytes ? Buffer.from(bytes.body) : JSON.stringify(input) }),
      });
      const text = await response.text();
      const documented = operation.responses[`${response.status}`];
      if (!documented) throw new Error(`${what} answers ${response.status}, which is not documented: ${text}`);
      const kind = (response.headers.get('content-type') ?? '').split(';')[0] as string;
      if (!documented.content) {
        if (text !== '') throw new Error(`${what} answers ${response.status} with a body that is not documented: ${text}`);
        return { status: response.status, data: undefined, meta: undefined, code: undefined, errors: {}, text };
      }
      if (!documented.content[kind]) throw new Error(`${what} answers ${response.status} as ${kind}: ${text.slice(0, 200)}`);
      if (!kind.endsWith('json'))
        return { status: response.status, data: text, meta: undefined, code: undefined, errors: {}, text };
      const body = JSON.parse(text) as { data?: unknown; meta?: unknown; code?: string; errors?: Documented['errors'] };
      check(`${what} answers ${response.status}`, [...at, 'responses', `${response.status}`, 'content', kind, 'schema'], body);
      return { status: response.status, data: body.data, meta: body.meta, code: body.code, errors: body.errors ?? {}, text };
    },
  };
}

/**
 * Checks that each value conforms to its parameter's schema, that no required parameter is missing, and that each parameter is
 * known.
 */
function checkQuery(
  what: string,
  { parameters = [] }: Operation,
  input: object,
  check: (index: number, value: unknown) => void,
): void {
  const given = new Map(
    Object.entries(input).map(([name, value]) => [Array.isArray(value) ? `${name}[]` : name, value as unknown]),
  );
  for (const [index, { name, in: where, required }] of parameters.entries()) {
    if (where !== 'query') continue;
    if (given.has(name)) check(index, given.get(name));
    else if (required) throw new Error(`${what} asked without ${name}`);
    given.delete(name);
  }
  if (given.size > 0) throw new Error(`${what} has no parameter ${[...given.keys()].join(', ')}`);
}

function queryOf(input: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) {
    if (Array.isArray(value)) for (const one of value) query.append(`${name}[]`, String(one));
    else query.append(name, String(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** PNG image of one pixel. */
export const PIXEL = {
  type: 'image/png',
  body: Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64'),
};
