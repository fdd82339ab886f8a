import { wallClock } from '../../platform/index.ts';
import { Unreachable, callProvider, sha256Hex } from '../provider/index.ts';
import { partsRead } from '../provider/amounts.ts';
import { type Xml, textOf } from '../provider/xml.ts';
import { SCALE, type VoletSettings } from './config.ts';
import { type Argument, Fault, envelopeOf, returnsOf } from './soap.ts';

/** The service wants to know who calls (Merchant API 1.6: "must contain the correct User-Agent"). */
const AGENT = 'Kurs/1';
/** How far the provider's clock may stand from ours at the turn of an hour. */
const SLACK_MS = 5 * 60_000;
const PAGE = 100;
const MAX_PAGES = 100;

/** A payment to our shop by its order id, as far as we use it. */
export interface ShopPayment {
  readonly transactionId: string;
  readonly orderId: string;
  readonly sciName: string;
  /** When it was completed; '' while it never was. */
  readonly completedAt: string;
}

/** One movement of an account, as the service tells it. */
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

/** What a send says: the amount in two digits, and the receiver by wallet or by e-mail. */
export interface OutgoingTransfer {
  readonly amount: string;
  readonly currency: string;
  readonly note: string;
  readonly receiver: { readonly walletId: string } | { readonly email: string };
}

/**
 * Volet's merchant service over SOAP. Every call carries a token of the account, made of the password and the hour in UTC
 * (`hex(sha256(password:YYYYMMDD:HH))`). Calls throw `Fault` for a definite "no" and `Unreachable` for no usable answer.
 */
export class VoletApi {
  readonly #settings: VoletSettings;
  readonly #now: () => Date;

  constructor(settings: VoletSettings, now: () => Date = wallClock) {
    this.#settings = settings;
    this.#now = now;
  }

  /** Our wallets and what lies in each, in parts. */
  async balances(): Promise<Map<string, bigint>> {
    const wallets = await this.#call('getBalances');
    return new Map(wallets.map((wallet) => [textOf(wallet, 'id'), partsRead(textOf(wallet, 'amount'), SCALE)]));
  }

  /** The payment that carries an order id of our shop; undefined while there is none. */
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

  /** One movement by its id. Throws `Unreachable` where the service doesn't know what it named itself. */
  async transaction(id: string): Promise<Transaction> {
    const [found] = await this.#call('findTransaction', id);
    if (found === undefined) throw new Unreachable('a transaction that the service named is not there');
    return transactionOf(found);
  }

  /** The outgoing movement from a moment on whose comment is this text; undefined where there is none in any page. */
  async outgoing(comment: string, from: Date): Promise<Transaction | undefined> {
    for await (const rows of this.#history(from)) {
      const found = rows.find((row) => row.comment === comment && row.direction === 'OUTGOING');
      if (found) return found;
    }
    return undefined;
  }

  /** Every outgoing movement from a moment on. */
  async allOutgoing(from: Date): Promise<Transaction[]> {
    const found: Transaction[] = [];
    for await (const rows of this.#history(from)) found.push(...rows.filter(({ direction }) => direction === 'OUTGOING'));
    return found;
  }

  /** The history from a moment on, page by page. Throws `Unreachable` where it has no end. */
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

  /** Sends money; gives the transaction's id. The service does not dedupe: the caller has looked it up before. */
  async send({ amount, currency, note, receiver }: OutgoingTransfer): Promise<string> {
    const [id] = await this.#call('sendMoney', { amount, currency, ...receiver, note, savePaymentTemplate: 'false' });
    if (typeof id !== 'string' || id === '') throw new Unreachable('a send without an id');
    return id;
  }

  /** No such payment is said by an empty answer; some services say it by this fault. */
  async #unlessMissing(answer: Promise<readonly Xml[]>): Promise<readonly Xml[]> {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof Fault && error.type === 'TransactionIsNotAvailableException') return [];
      throw error;
    }
  }

  /**
   * A call with the token of this hour. The two clocks may be in different hours around its turn: then the neighbouring
   * hour's token is tried once. Anyone who isn't let in has moved nothing, so a send may be tried so, too.
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

/** `YYYYMMDD:HH` in UTC. */
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
