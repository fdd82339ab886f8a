import { z } from 'zod';
import { wallClock } from '../../platform/index.ts';
import { Unreachable, callProvider } from '../provider/index.ts';
import { partsRead } from '../provider/amounts.ts';
import { exactJsonOf, jsonNumber } from '../provider/exact-json.ts';
import { SCALE, type WebMoneyCurrency, type WebMoneySettings } from './config.ts';

/** A transfer from our purse, as WebMoney tells it. */
export interface Operation {
  readonly id: string;
  readonly tranid: string;
  readonly from: string;
  readonly to: string;
  readonly parts: bigint;
  readonly fee: bigint;
  /** 0: done; 4: protected and not taken yet; 12: protected and returned. */
  readonly kind: string;
  readonly description: string;
}

/** What a transfer says; `tranid` is a number of ours, used once. */
export interface OutgoingTransfer {
  readonly tranid: string;
  readonly to: string;
  readonly amount: string;
  readonly description: string;
}

/** A "no" by its code: of a transfer, or of the whole call. */
export class Refusal extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`WebMoney says ${code}`);
    this.name = 'Refusal';
    this.code = code;
  }
}

const operationShape = z
  .object({
    id: z.string(),
    tranid: z.string(),
    pursesrc: z.string(),
    pursedest: z.string(),
    amount: z.string(),
    comiss: z.string(),
    opertype: z.string(),
    desc: z.string(),
  })
  .transform(({ id, tranid, pursesrc: from, pursedest: to, amount, comiss, opertype: kind, desc: description }): Operation => ({
    ...{ id, tranid, from, to, kind, description },
    parts: partsRead(amount, SCALE),
    fee: partsRead(comiss, SCALE),
  }));
const answerShape = z.object({ retval: z.string() });
const transactShape = z.object({ operation: operationShape });
const operationsShape = z.object({ operations: z.array(operationShape) });
const pursesShape = z.object({ purses: z.array(z.object({ pursename: z.string(), amount: z.string() })) });

/**
 * WebMoney's JSON interfaces. A token belongs to one purse, from which its transfers go. Calls throw `Refusal` for a code
 * other than 0, whatever came before it (a list may end in an error), and `Unreachable` for no usable answer.
 */
export class WebMoneyApi {
  readonly #api: string;
  #last = 0;

  constructor({ api }: WebMoneySettings) {
    this.#api = api;
  }

  /** What lies in our purse, in parts. */
  async balance({ purse, token }: WebMoneyCurrency): Promise<bigint> {
    const { purses } = await this.#call('GetPurses.ashx', token, { wmid: '' }, pursesShape);
    const found = purses.find(({ pursename }) => pursename === purse);
    if (!found) throw new Unreachable('our purse is not among those of the token');
    return partsRead(found.amount, SCALE);
  }

  /** The transfer from our purse that has this number; undefined where there is none. */
  async operation({ purse, token }: WebMoneyCurrency, tranid: string): Promise<Operation | undefined> {
    // With a number the dates are ignored, so there are none.
    const request = { wmtranid: 0, tranid: jsonNumber(tranid) };
    const { operations } = await this.#call('GetOperations.ashx', token, request, operationsShape);
    return operations.find((one) => one.tranid === tranid && one.from === purse);
  }

  /** The transfers that left our purse within some days. */
  async outgoing({ purse, token }: WebMoneyCurrency, days: { readonly from: Date; readonly to: Date }): Promise<Operation[]> {
    const request = { wmtranid: 0, tranid: 0, datestart: days.from.toISOString(), datefinish: days.to.toISOString() };
    const { operations } = await this.#call('GetOperations.ashx', token, request, operationsShape);
    return operations.filter(({ from }) => from === purse);
  }

  /**
   * Transfers; the receiver's purse must allow it (`onlyauth`). WebMoney refuses a number that was used (103), for as long
   * as it remembers: "a limited period".
   */
  async transfer({ token }: WebMoneyCurrency, { tranid, to, amount, description }: OutgoingTransfer): Promise<Operation> {
    const { operation } = await this.#call(
      'Transact.ashx',
      token,
      {
        ...{ tranid: jsonNumber(tranid), pursedest: to, amount: jsonNumber(amount), period: 0, pcode: '' },
        ...{ desc: description, wminvid: 0, onlyauth: 1 },
      },
      transactShape,
    );
    return operation;
  }

  /** Requests are numbered by the clock, and never twice the same from this process. */
  async #call<S extends z.ZodType>(name: string, token: string, body: Record<string, unknown>, shape: S): Promise<z.output<S>> {
    this.#last = Math.max(this.#last + 1, wallClock().getTime());
    const reply = await callProvider(new URL(name, this.#api), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify({ reqn: this.#last, ...body }),
    });
    if (reply.status >= 500) throw new Unreachable(`status ${reply.status}`);
    const { retval } = exactJsonOf(reply, answerShape);
    if (retval !== '0') throw new Refusal(retval);
    return exactJsonOf(reply, shape);
  }
}
