import { z } from 'zod';
import { wallClock } from '../../platform/index.ts';
import { Unreachable, callProvider } from '../provider/index.ts';
import { partsRead } from '../provider/amounts.ts';
import { exactJsonOf, jsonNumber } from '../provider/exact-json.ts';
import { SCALE, type WebMoneyCurrency, type WebMoneySettings } from './config.ts';

/** A transfer from our purse, as WebMoney shows it. */
export interface Operation {
  readonly id: string;
  readonly tranid: string;
  readonly from: string;
  readonly to: string;
  readonly parts: bigint;
  readonly fee: bigint;
  /** 0: executed; 4: protected, and not accepted yet; 12: protected, and returned. */
  readonly kind: string;
  readonly description: string;
}

/** A transfer to send. `tranid`: our own number, used once. */
export interface OutgoingTransfer {
  readonly tranid: string;
  readonly to: string;
  readonly amount: string;
  readonly description: string;
}

/** A refusal of a transfer or of a whole call, by its code. */
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
 * Client of WebMoney's JSON interfaces. A token belongs to one purse, which its transfers leave from. Calls throw `Refusal` for a
 * code other than 0, even after a part of a list, and `Unreachable` without a usable answer.
 */
export class WebMoneyApi {
  readonly #api: string;
  #last = 0;

  constructor({ api }: WebMoneySettings) {
    this.#api = api;
  }

  /** Returns the balance of our purse, in minor units. */
  async balance({ purse, token }: WebMoneyCurrency): Promise<bigint> {
    const { purses } = await this.#call('GetPurses.ashx', token, { wmid: '' }, pursesShape);
    const found = purses.find(({ pursename }) => pursename === purse);
    if (!found) throw new Unreachable('our purse is not among those of the token');
    return partsRead(found.amount, SCALE);
  }

  /** Returns the transfer from our purse with a number; undefined if there is none. */
  async operation({ purse, token }: WebMoneyCurrency, tranid: string): Promise<Operation | undefined> {
    // WebMoney ignores dates in a request with a number.
    const request = { wmtranid: 0, tranid: jsonNumber(tranid) };
    const { operations } = await this.#call('GetOperations.ashx', token, request, operationsShape);
    return operations.find((one) => one.tranid === tranid && one.from === purse);
  }

  /** Returns the transfers that left our purse in some days. */
  async outgoing({ purse, token }: WebMoneyCurrency, days: { readonly from: Date; readonly to: Date }): Promise<Operation[]> {
    const request = { wmtranid: 0, tranid: 0, datestart: days.from.toISOString(), datefinish: days.to.toISOString() };
    const { operations } = await this.#call('GetOperations.ashx', token, request, operationsShape);
    return operations.filter(({ from }) => from === purse);
  }

  /**
   * Sends a transfer. The receiver's purse must allow it (`onlyauth`). WebMoney refuses a number that was used before (103), for
   * "a limited period".
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

  /** Calls an interface. Requests are numbered by the clock, and this process never repeats a number. */
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
