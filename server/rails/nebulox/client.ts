import { z } from 'zod';
import { Unreachable, callProvider } from '../provider/index.ts';
import type { NebuloxSettings } from './config.ts';
import { readExactly } from './exact-json.ts';

/** A refusal by Nebulox: a wrong key, an inactive gateway, an impossible request. */
export class NebuloxRefusal extends Error {
  constructor(status: number, message: string) {
    super(`${status} ${message}`.slice(0, 200));
    this.name = 'NebuloxRefusal';
  }
}

export interface NebuloxClient {
  /**
   * Calls the API with our key. `numbers` are fields written as unquoted JSON numbers. Returns the answer's `result`, or the whole
   * answer if it has none, with numbers as text. Throws `NebuloxRefusal` for a definite refusal, otherwise `Unreachable`.
   */
  call<S extends z.ZodType>(
    path: string,
    fields: Readonly<Record<string, string>>,
    schema: S,
    numbers?: Readonly<Record<string, string>>,
  ): Promise<z.output<S>>;
}

const envelope = z.looseObject({ message: z.unknown().optional(), result: z.unknown().optional() });

/** Returns a client of Nebulox's API (docs.nebulox.io): JSON by POST, with the key in the body. */
export function nebuloxClient({ apiUrl, apiKey }: NebuloxSettings): NebuloxClient {
  return {
    call: async (path, fields, schema, numbers = {}) => {
      const url = new URL(path, apiUrl.endsWith('/') ? apiUrl : `${apiUrl}/`);
      const body = bodyOf({ apiKey, ...fields }, numbers);
      const { status, text } = await callProvider(url, { body, headers: { 'content-type': 'application/json' } });
      const answer = read(path, status, text);
      const said = String(answer.message ?? '');
      // Too many requests (429) and faults of the server are no refusals: a later try may succeed.
      if (status >= 400 && status < 500 && status !== 429) throw new NebuloxRefusal(status, said);
      if (status !== 200 && status !== 201) throw new Unreachable(`nebulox ${path}: status ${status}`);
      const parsed = schema.safeParse(answer.result ?? answer);
      if (parsed.success) return parsed.data;
      throw new Unreachable(`nebulox ${path}: another shape at "${parsed.error.issues[0]?.path.join('.') ?? ''}"`);
    },
  };
}

function bodyOf(texts: Readonly<Record<string, string>>, numbers: Readonly<Record<string, string>>): string {
  const fields = [
    ...Object.entries(texts).map(([name, text]) => `${JSON.stringify(name)}:${JSON.stringify(text)}`),
    ...Object.entries(numbers).map(([name, text]) => `${JSON.stringify(name)}:${text}`),
  ];
  return `{${fields.join(',')}}`;
}

function read(path: string, status: number, text: string): z.output<typeof envelope> {
  try {
    return envelope.parse(readExactly(text));
  } catch (error) {
    throw new Unreachable(`nebulox ${path}: status ${status}, no answer of theirs`, error);
  }
}
