import { Unreachable, callProvider, htmlInputs } from '../provider/index.ts';
import type { PerfectMoneySettings } from './config.ts';

/** A refusal by Perfect Money, with its message. */
export class PerfectMoneyRefusal extends Error {
  constructor(detail: string) {
    super(detail.slice(0, 200));
    this.name = 'PerfectMoneyRefusal';
  }
}

export interface PerfectMoneyClient {
  /** Calls a page with an effect and returns the hidden fields of its answer. Throws the same errors as `list`. */
  act(page: string, fields: Readonly<Record<string, string>>, timeoutMs?: number): Promise<ReadonlyMap<string, string>>;
  /**
   * Reads a list (CSV) with the given columns. Returns its rows, each with one cell per column; further commas belong to the last
   * cell. Throws `PerfectMoneyRefusal` for a refusal, and `Unreachable` without a usable answer.
   */
  list(page: string, columns: readonly string[], fields: Readonly<Record<string, string>>): Promise<string[][]>;
}

/**
 * Opens a client of Perfect Money's API, which has one page for each action. Calls use GET, so their URLs contain login and
 * password (it was never confirmed that POST works). No URL is ever logged or part of an error.
 */
export function perfectMoneyClient({ apiUrl, login, passPhrase }: PerfectMoneySettings): PerfectMoneyClient {
  const call = async (page: string, fields: Readonly<Record<string, string>>, timeoutMs?: number): Promise<string> => {
    const url = new URL(`${page}.asp`, apiUrl.endsWith('/') ? apiUrl : `${apiUrl}/`);
    url.search = new URLSearchParams({ AccountID: login, PassPhrase: passPhrase, ...fields }).toString();
    const { status, text } = await callProvider(url, timeoutMs === undefined ? {} : { timeoutMs });
    if (status !== 200) throw new Unreachable(`perfectmoney ${page}: status ${status}`);
    return text;
  };
  return {
    act: async (page, fields, timeoutMs) => {
      const inputs = htmlInputs(await call(page, fields, timeoutMs));
      const error = inputs.get('ERROR');
      if (error !== undefined) throw new PerfectMoneyRefusal(error);
      if (inputs.size === 0) throw new Unreachable(`perfectmoney ${page}: an answer of another form`);
      return inputs;
    },
    list: async (page, columns, fields) => rowsOf(page, columns, await call(page, fields)),
  };
}

/** Perfect Money's words for an empty list. */
const NONE = /^no records? found/i;

function rowsOf(page: string, columns: readonly string[], text: string): string[][] {
  const error = htmlInputs(text).get('ERROR') ?? /^\s*error:?\s*(.*)/i.exec(text)?.[1];
  if (error !== undefined) throw new PerfectMoneyRefusal(error);
  const [head = '', ...lines] = text.split(/\r?\n/).map((line) => line.trim());
  if (NONE.test(head)) return [];
  if (head !== columns.join(',')) throw new Unreachable(`perfectmoney ${page}: a list of another form`);
  return lines.flatMap((line) => {
    if (line === '' || NONE.test(line)) return [];
    const cells = line.split(',');
    if (cells.length < columns.length) throw new Unreachable(`perfectmoney ${page}: a row of another form`);
    const last = columns.length - 1;
    return [[...cells.slice(0, last), cells.slice(last).join(',')].map((cell) => cell.trim())];
  });
}
