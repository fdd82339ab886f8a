import { wallClock } from '../../platform/index.ts';
import { Unreachable, callProvider, sha256Hex } from '../provider/index.ts';
import { partsRead } from '../provider/amounts.ts';
import { type Xml, textOf } from '../provider/xml.ts';
import { SCALE, type VoletSettings } from './config.ts';
import { type Argument, Fault, envelopeOf, returnsOf } from './soap.ts';

/** User-Agent of our calls, which the service requires (Merchant API 1.6: "must contain the correct User-Agent"). */
const AGENT = 'Kurs/1';
/** Largest difference between the provider's clock and ours that a change of hour allows for. */
const SLACK_MS = 5 * 60_000;
const PAGE = 100;
const MAX_PAGES = 100;

/** A payment to our shop, found by its order id: the fields that we use. */
export interface ShopPayment {
  readonly transactionId: string;
  readonly orderId: string;
  readonly sciName: string;
  /** Time of its completion; '' if it was never completed. */
  readonly completedAt: string;
}

/** One transaction of our account, as the service shows it. */
export interface Transaction {
  readonly id: string;
  readonly status: string;
  readonly direction: string;
  readonly currency: string;
  readonly amount: string;
  readonly fee: string;
  readonly comment: string;
  readonly from: string;
  readonly to: string;
  readonly senderEmail: string;
  readonly startedAt: string;
}

/** A transfer to send: the amount with two digits, and the receiver by wallet or by e-mail. */
export interface OutgoingTransfer {
  readonly amount: string;
  readonly currency: string;
  readonly note: string;
  readonly receiver: { readonly walletId: string } | { readonly email: string };
}

/**
 * Client of Volet's merchant service over SOAP. Every call carries a token, made of the API password and the hour in UTC
 * (`hex(sha256(password:YYYYMMDD:HH))`). Calls throw `Fault` for a typed fault, and `Unreachable` if there is no usable answer.
 */
export class VoletApi {
  readonly #settings: VoletSettings;
  readonly #now: () => Date;

  constructor(settings: VoletSettings, now: () => Date = wallClock) {
    this.#settings = settings;
    this.#now = now;
  }

  /** Returns the balance of each wallet of the account, by its number, in minor units. */
  async balances(): Promise<Map<string, bigint>> {
    const wallets = await this.#call('getBalances');
    return new Map(wallets.map((wallet) => [textOf(wallet, 'id'), partsRead(textOf(wallet, 'amount'), SCALE)]));
  }

  /** Returns the payment for an order id of our shop, or undefined if there is none. */
  async paymentOf(orderId: string): Promise<ShopPayment | undefined> {
    const { sciName } = this.#settings;
    const [found] = await this.#unlessMissing(this.#call('findPaymentByOrderId', { orderId, sciName }));
    const transactionId = textOf(found, 'transactionId');
    if (transactionId === '') return undefined;
    return {
      transactionId,
      orderId: textOf(found, 'orderId'),
      sciName: textOf(found, 'sciName'),
      completedAt: textOf(found, 'transactionCompleted'),
    };
  }

  /** Returns a transaction by the id that the service gave. Throws `Unreachable` if the service doesn't show it. */
  async transaction(id: string): Promise<Transaction> {
    const [found] = await this.#call('findTransaction', id);
    if (found === undefined) throw new Unreachable('a transaction that the service named is not there');
    return transactionOf(found);
  }

  /** Returns the first outgoing transaction since a moment with this comment, or undefined if no page has one. */
  async outgoing(comment: string, from: Date): Promise<Transaction | undefined> {
    for await (const rows of this.#history(from)) {
      const found = rows.find((row) => row.comment === comment && row.direction === 'OUTGOING');
      if (found) return found;
    }
    return undefined;
  }

  /** Returns all outgoing transactions since a moment. */
  async allOutgoing(from: Date): Promise<Transaction[]> {
    const found: Transaction[] = [];
    for await (const rows of this.#history(from)) found.push(...rows.filter(({ direction }) => direction === 'OUTGOING'));
    return found;
  }

  /** Yields the history since a moment, page by page. Throws `Unreachable` after `MAX_PAGES` full pages. */
  async *#history(from: Date): AsyncGenerator<Transaction[]> {
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const rows = await this.#call('history', {
        count: `${PAGE}`,
        from: `${page * PAGE}`,
        sortOrder: 'ASC',
        startTimeFrom: from.toISOString(),
        transactionName: 'ALL',
      });
      yield rows.map(transactionOf);
      if (rows.length < PAGE) return;
    }
    throw new Unreachable('the history has no end');
  }

  /** Sends money and returns the transaction's id. The service doesn't deduplicate: look for an earlier send first. */
  async send({ amount, currency, note, receiver }: OutgoingTransfer): Promise<string> {
    const [id] = await this.#call('sendMoney', { amount, currency, ...receiver, note, savePaymentTemplate: 'false' });
    if (typeof id !== 'string' || id === '') throw new Unreachable('a send without an id');
    return id;
  }

  /** Turns the fault that reports a missing payment into an empty answer, the other form of such a report. */
  async #unlessMissing(answer: Promise<readonly Xml[]>): Promise<readonly Xml[]> {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof Fault && error.type === 'TransactionIsNotAvailableException') return [];
      throw error;
    }
  }

  /**
   * Makes a call with the token of this hour. Around a change of hour the provider's clock may be in the other hour. If our token
   * is refused then, the other hour's is tried once. A refused token moves nothing, so this is safe for sends too.
   */
  async #call(operation: string, argument?: Argument | string): Promise<readonly Xml[]> {
    const now = this.#now().getTime();
    const hours = new Set([0, SLACK_MS, -SLACK_MS].map((shift) => hourOf(new Date(now + shift))));
    const [hour = '', neighbour] = hours;
    try {
      return await this.#ask(operation, hour, argument);
    } catch (error) {
      if (neighbour === undefined || !(error instanceof Fault) || error.type !== 'NotAuthException') throw error;
      return this.#ask(operation, neighbour, argument);
    }
  }

  async #ask(operation: string, hour: string, argument: Argument | string | undefined): Promise<readonly Xml[]> {
    const { api, apiName, apiPassword, account } = this.#settings;
    const auth = { accountEmail: account, apiName, authenticationToken: sha256Hex(`${apiPassword}:${hour}`) };
    const reply = await callProvider(new URL(api), {
      method: 'POST',
      headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: '""', 'user-agent': AGENT },
      body: envelopeOf(operation, argument === undefined ? [auth] : [auth, argument]),
    });
    return returnsOf(operation, reply);
  }
}

/** Formats a moment as `YYYYMMDD:HH` in UTC. */
function hourOf(moment: Date): string {
  const text = moment.toISOString();
  return `${text.slice(0, 10).replaceAll('-', '')}:${text.slice(11, 13)}`;
}

function transactionOf(row: Xml): Transaction {
  const of = (name: string): string => textOf(row, name);
  return {
    id: of('id'),
    status: of('status'),
    direction: of('direction'),
    currency: of('currency'),
    amount: of('amount'),
    fee: of('fullCommission'),
    comment: of('comment'),
    from: of('walletSrcId'),
    to: of('walletDestId'),
    senderEmail: of('senderEmail'),
    startedAt: of('startTime'),
  };
}
