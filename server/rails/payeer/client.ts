import { z } from 'zod';
import { Unreachable, callProvider, jsonOf } from '../provider/index.ts';
import { exactJsonOf } from '../provider/exact-json.ts';
import type { PayeerSettings } from './config.ts';

/** A refusal by Payeer, with its own words. */
export class PayeerRefusal extends Error {
  readonly errors: readonly string[];

  constructor(errors: readonly string[]) {
    super(errors.join(', '));
    this.name = 'PayeerRefusal';
    this.errors = errors;
  }
}

export interface PayeerClient {
  /**
   * Calls an action of the API, and returns its answer checked by a schema. Numbers of the answer stay texts, digit by digit. Throws `PayeerRefusal` if Payeer refuses, and
   * `Unreachable` if the effect of the call is unknown.
   */
  call<S extends z.ZodType>(action: string, fields: Readonly<Record<string, string>>, schema: S): Promise<z.output<S>>;
}

const envelope = z.looseObject({ auth_error: z.union([z.string(), z.number()]), errors: z.unknown().optional() });

/** Returns a client of Payeer's API (github.com/payeer/docs, rest-api): forms with our credentials to one address, answered by JSON. */
export function payeerClient({ apiUrl, account, apiId, apiPass }: PayeerSettings): PayeerClient {
  const url = new URL(apiUrl);
  return {
    call: async (action, fields, schema) => {
      const reply = await callProvider(url, { form: { account, apiId, apiPass, language: 'en', action, ...fields } });
      if (reply.status !== 200) throw new Unreachable(`payeer ${action}: status ${reply.status}`);
      const { auth_error: wrongKey, errors } = jsonOf(reply, envelope);
      const said = errorsOf(errors);
      if (String(wrongKey) !== '0') throw new PayeerRefusal(['auth_error', ...said]);
      if (said.length > 0) throw new PayeerRefusal(said);
      return exactJsonOf(reply, schema);
    },
  };
}

/**
 * Returns the texts in `errors`, which is a list, an object by name, one text, or `true`. An absent, false, zero or empty value
 * means no errors.
 */
export function errorsOf(errors: unknown): string[] {
  if (errors === undefined || errors === null || errors === false || errors === 0 || errors === '' || errors === '0') return [];
  if (typeof errors !== 'object') return [errors === true ? 'unnamed' : String(errors)];
  if (Array.isArray(errors)) return errors.flatMap(errorsOf);
  return Object.entries(errors).flatMap(([name, value]) => (/^\d+$/.test(name) ? errorsOf(value) : [name, ...errorsOf(value)]));
}

/** Schema of an amount, which Payeer writes as a number or a text. The client reads both as the text of its digits. */
export const amount = z.string();

/** Returns the schema of a list, which PHP writes as an object by number, or as `[]` if it is empty. */
export const listOf = <S extends z.ZodType>(one: S) =>
  z
    .union([z.array(one), z.record(z.string(), one), z.null(), z.undefined()])
    .transform((list) => Object.values(list ?? {}) as z.output<S>[]);
