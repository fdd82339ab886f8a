import { Unreachable, callProvider, htmlInputs } from '../provider/index.ts';
import type { PerfectMoneySettings } from './config.ts';

/** Perfect Money says no, in its own words. */
export class PerfectMoneyRefusal extends Error {
  constructor(detail: string) {
    super(detail.slice(0, 200));
    this.name = 'PerfectMoneyRefusal';
  }
}

export interface PerfectMoneyClient {
  /** Calls a page that does something: gives the hidden fields of its answer. Throws as `list`. */
  act(page: string, fields: Readonly<Record<string, string>>, timeoutMs?: number): Promise<ReadonlyMap<string, string>>;
  /**
   * Reads a list (CSV) with these columns: its rows, each with as many cells; the last takes all commas that are left.
   * Throws `PerfectMoneyRefusal` for a "no", and `Unreachable` where what came of the call is unknown.
   */
  list(page: string, columns: readonly string[], fields: Readonly<Record<string, string>>): Promise<string[][]>;
}

/**
 * Perfect Money's API: one page for each action, asked by GET, so that login and password stand in the address (whether POST
 * works was never confirmed). No address is ever logged or part of an error.
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

/** There is nothing, in Perfect Money's words. */
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
