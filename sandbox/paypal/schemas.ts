import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';

/** Name of one of PayPal's files, reduced to the operations used here (tools/paypal-openapi.ts). */
type Name = 'orders' | 'payments' | 'payouts' | 'webhooks';

interface Operation {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema: { readonly type?: string };
  }[];
  readonly body: unknown;
  readonly replies: Readonly<Record<string, unknown>>;
}

/** Request to an operation. */
export interface OperationRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
}

/** Operation with its checks. */
export interface Checked extends Pick<Operation, 'method' | 'path'> {
  /** Returns the first error of a request by PayPal's schema: the field and the reason. Undefined if the request is valid. */
  wrongIn(request: OperationRequest): { readonly field: string; readonly why: string } | undefined;
  /** Throws if an answer of this counterpart violates PayPal's schema. */
  checkReply(status: number, body: unknown): void;
}

/** Schemas of PayPal. Each is compiled when it is first needed. */
export class Schemas {
  /**
   * `unicodeRegExp` is off because a pattern of the Orders file is invalid in Unicode mode. The other options halve the memory:
   * all compiled schemas of PayPal take about 20 MB.
   */
  readonly #ajv = new Ajv({
    strict: false,
    unicodeRegExp: false,
    logger: false,
    meta: false,
    validateSchema: false,
    inlineRefs: false,
    code: { optimize: false },
  });
  readonly #files = new Map<Name, Readonly<Record<string, Operation>>>();

  constructor() {
    (formats as unknown as { default: (ajv: Ajv) => void }).default(this.#ajv);
  }

  /** Returns an operation by its id in PayPal's file. */
  operation(file: Name, id: string): Checked {
    const operation = this.#file(file)[id];
    if (!operation) throw new Error(`PayPal's ${file} has no ${id}`);
    const at = `${file}#/operations/${id}`;
    return {
      method: operation.method,
      path: operation.path,
      wrongIn: (request) => this.#wrongIn(at, operation, request),
      checkReply: (status, body) => {
        const key = String(status) in operation.replies ? String(status) : 'default';
        if (!(key in operation.replies)) throw new Error(`${id} never answers ${status}`);
        if (operation.replies[key] === null) return;
        const check = this.#check(`${at}/replies/${key}`);
        if (!check(body)) throw new Error(`${id} ${status}: ${wordsOf(check)}`);
      },
    };
  }

  #file(name: Name): Readonly<Record<string, Operation>> {
    let operations = this.#files.get(name);
    if (!operations) {
      const text = readFileSync(new URL(`openapi/${name}.json`, import.meta.url), 'utf8');
      const file = JSON.parse(text) as { operations: Record<string, Operation>; schemas: object };
      this.#ajv.addSchema({ $id: name, ...file });
      operations = file.operations;
      this.#files.set(name, operations);
    }
    return operations;
  }

  #check(reference: string): ValidateFunction {
    const check = this.#ajv.getSchema(reference);
    if (!check) throw new Error(`no schema at ${reference}`);
    return check as ValidateFunction;
  }

  #wrongIn(at: string, operation: Operation, request: OperationRequest): { field: string; why: string } | undefined {
    for (const [index, { name, in: where, required, schema }] of operation.parameters.entries()) {
      const given =
        where === 'path' ? request.params[name] : where === 'query' ? request.query[name] : request.headers[name.toLowerCase()];
      // PayPal's file allows no hyphens in this id, although its ids contain them.
      if (name === 'event_id') continue;
      if (given === undefined) {
        if (required) return { field: name, why: 'is missing' };
        continue;
      }
      const value = schema.type === 'integer' && /^\d{1,9}$/.test(String(given)) ? Number(given) : given;
      const check = this.#check(`${at}/parameters/${index}/schema`);
      if (!check(value)) return { field: name, why: wordsOf(check) };
    }
    if (operation.body === null || request.body === undefined) return undefined;
    const check = this.#check(`${at}/body`);
    return check(request.body) ? undefined : { field: check.errors?.[0]?.instancePath || '/', why: wordsOf(check) };
  }
}

function wordsOf({ errors }: ValidateFunction): string {
  const [first] = errors ?? [];
  return first ? `${first.instancePath} ${first.message} ${JSON.stringify(first.params)}` : 'wrong';
}
