import type { FastifyInstance } from 'fastify';
import type { Faults } from './faults.ts';

/**
 * The other side of one rail: the network or provider itself, and a customer who has money there. It speaks the
 * rail's real protocol over HTTP below `/sandbox/<rail>`; the product knows only that base URL.
 */
export interface Counterpart {
  /** The rail's name and its folder: `bitcoin`, `evm`, `payeer`. */
  readonly rail: string;
  readonly currencies: readonly string[];
  /** How often the protocol's answers misbehave. The sandbox's own calls (`pay`, `mine`, …) never do. */
  readonly faults: Faults;
  /** What the product's configuration must say to reach it, by variable name; `base` is this rail's own base URL. */
  environment(base: string): Readonly<Record<string, string>>;
  /**
   * A provider's: the settings of the product's rail, as an operator would write them, with the counterpart's own account,
   * secrets and addresses.
   */
  provider?(where: Where): Readonly<Record<string, unknown>>;
  /** Adds the protocol's routes to a scope whose prefix is `/sandbox/<rail>`. */
  mount(scope: FastifyInstance): void;
  /** Pays from a fresh account of the sandbox customer. Amounts are decimal strings of the currency. */
  pay(payment: Payment): Promise<Paid>;
  /** A fresh account of the sandbox customer, to receive at. */
  address(currency: string): Promise<string>;
  /** What an account holds on the rail, confirmed or not, as a decimal string with all digits. */
  balance(currency: string, account: string): Promise<string>;
  /** Mines blocks at once; gives the new height. A provider has none. */
  mine?(blocks: number): Promise<number>;
  /** Replaces the newest blocks by others; their transactions return to the mempool or are dropped for good. */
  reorg?(depth: number, drop: boolean): Promise<number>;
  /** The desk's own money at the start (control port only), confirmed when it returns. */
  fund(funding: Funding): Promise<void>;
  /** What only tests ask of it, by name: `POST /<rail>/<name>` on the control port. */
  readonly tricks?: Readonly<Record<string, (input: Readonly<Record<string, unknown>>) => Promise<unknown>>>;
  close(): Promise<void>;
}

/** A network's: it has blocks. */
export type ChainCounterpart = Counterpart & Required<Pick<Counterpart, 'mine' | 'reorg'>>;

/** Addresses that a provider's settings name. */
export interface Where {
  /** What the product's processes call: `http://127.0.0.1:<port>/sandbox/<rail>`. */
  readonly base: string;
  /** What a customer's browser opens: the same below the product's own address, where there is a product. */
  readonly pages: string;
  /** Address for the provider's messages: `<api>/api/v1/payment/<rail>/confirmation`; absent without a product. */
  readonly webhook?: string;
}

export interface Payment {
  readonly currency: string;
  /** The receiving address, or the product's reference at a provider. */
  readonly to: string;
  /** A provider's: the form or link that the product gave the customer. */
  readonly way?: {
    readonly method: 'GET' | 'POST';
    readonly url: string;
    readonly fields: Readonly<Record<string, string>>;
  };
  readonly amount: string;
  /** `low`: a fee that does not get it confirmed in time. */
  readonly fee: 'normal' | 'low';
  /** Signals that it may be replaced (bitcoin). */
  readonly replaceable: boolean;
}

export interface Paid {
  readonly txid: string;
  readonly from: string;
  /** What the customer bought to pay with, and now enters on the order's page. */
  readonly voucher?: Readonly<Record<string, string>>;
}

export interface Funding {
  readonly currency: string;
  readonly to: string;
  readonly amount: string;
}

/** A call that the counterpart cannot do as asked: a wrong address or amount. Answered as 422 with the field's name. */
export class Refused extends Error {
  readonly field: string;

  constructor(field: string, detail: string) {
    super(detail);
    this.name = 'Refused';
    this.field = field;
  }
}
