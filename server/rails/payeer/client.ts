import { z } from 'zod';
import { Unreachable, callProvider, jsonOf } from '../provider/index.ts';
import type { PayeerSettings } from './config.ts';

/** Payeer says no, in its own words. */
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
   * Calls an action of the API and gives its answer by a schema. Throws `PayeerRefusal` where Payeer says no, and
   * `Unreachable` where what came of the call is unknown.
   */
  call<S extends z.ZodType>(action: string, fields: Readonly<Record<string, string>>, schema: S): Promise<z.output<S>>;
}

const envelope = z.looseObject({ auth_error: z.union([z.string(), z.number()]), errors: z.unknown().optional() });

/** Payeer's API (github.com/payeer/docs, rest-api): forms to one address, each with our credentials; JSON back. */
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
      return jsonOf(reply, schema);
    },
  };
}

/**
 * What `errors` says: a list, an object by name, one text, or `true`. Nothing, `false`, `null`, "0" and an empty list mean
 * that there are none.
 */
export function errorsOf(errors: unknown): string[] {
  if (errors === undefined || errors === null || errors === false || errors === 0 || errors === '' || errors === '0') return [];
  if (typeof errors !== 'object') return [errors === true ? 'unnamed' : String(errors)];
  if (Array.isArray(errors)) return errors.flatMap(errorsOf);
  return Object.entries(errors).flatMap(([name, value]) => (/^\d+$/.test(name) ? errorsOf(value) : [name, ...errorsOf(value)]));
}

/** An amount as Payeer writes it, a number or a text, in its own digits. */
export const amount = z.union([z.number(), z.string()]).transform(String);

/** A list that PHP writes as an object by number, or as `[]` where it is empty. */
export const listOf = <S extends z.ZodType>(one: S) =>
  z
    .union([z.array(one), z.record(z.string(), one), z.null(), z.undefined()])
    .transform((list) => Object.values(list ?? {}) as z.output<S>[]);
