import type { FastifyInstance } from 'fastify';
import type { Faults } from './faults.ts';

/**
 * Counterpart of one rail: the network or provider, and a customer who has money there. It serves the rail's real protocol over
 * HTTP below `/sandbox/<rail>`. The product knows that base URL only.
 */
export interface Counterpart {
  /** Name of the rail and of its folder: `bitcoin`, `evm`, `payeer`. */
  readonly rail: string;
  readonly currencies: readonly string[];
  /** Frequency of faults in the protocol's answers. The sandbox's own calls (`pay`, `mine`, …) never fail this way. */
  readonly faults: Faults;
  /** Returns the configuration that the product needs to reach it, by variable name. `base` is this rail's base URL. */
  environment(base: string): Readonly<Record<string, string>>;
  /**
   * Returns the settings of a provider's rail, as an operator would write them, with the counterpart's account, secrets and
   * addresses.
   */
  provider?(where: Where): Readonly<Record<string, unknown>>;
  /** Adds the protocol's routes to a scope whose prefix is `/sandbox/<rail>`. */
  mount(scope: FastifyInstance): void;
  /** Pays from a fresh account of the sandbox customer. Amounts are decimal strings of the currency. */
  pay(payment: Payment): Promise<Paid>;
  /** Returns a fresh account of the sandbox customer, to receive at. */
  address(currency: string): Promise<string>;
  /** Returns the balance of an account on the rail, confirmed or not, as a decimal string with all digits. */
  balance(currency: string, account: string): Promise<string>;
  /** Mines blocks immediately and returns the new height. Absent for providers. */
  mine?(blocks: number): Promise<number>;
  /** Replaces the newest blocks by others. Their transactions return to the mempool or are dropped permanently. */
  reorg?(depth: number, drop: boolean): Promise<number>;
  /** Gives the desk its initial money (control port only), confirmed when it returns. */
  fund(funding: Funding): Promise<void>;
  /** Actions for tests, by name: `POST /<rail>/<name>` on the control port. */
  readonly tricks?: Readonly<Record<string, (input: Readonly<Record<string, unknown>>) => Promise<unknown>>>;
  close(): Promise<void>;
}

/** Counterpart of a network, which has blocks. */
export type ChainCounterpart = Counterpart & Required<Pick<Counterpart, 'mine' | 'reorg'>>;

/** Addresses in a provider's settings. */
export interface Where {
  /** Base URL for the product's processes: `http://127.0.0.1:<port>/sandbox/<rail>`. */
  readonly base: string;
  /** Base URL for a customer's browser: the same path at the product's own address, if there is a product. */
  readonly pages: string;
  /** Address for the provider's messages: `<api>/api/v1/payment/<rail>/confirmation`; absent without a product. */
  readonly webhook?: string;
}

export interface Payment {
  readonly currency: string;
  /** Receiving address, or the product's reference at a provider. */
  readonly to: string;
  /** Form or link that the product gave the customer of a provider. */
  readonly way?: {
    readonly method: 'GET' | 'POST';
    readonly url: string;
    readonly fields: Readonly<Record<string, string>>;
  };
  readonly amount: string;
  /** `low` is a fee that is too small for timely confirmation. */
  readonly fee: 'normal' | 'low';
  /** True if the payment signals that it may be replaced (bitcoin). */
  readonly isReplaceable: boolean;
}

export interface Paid {
  readonly txid: string;
  readonly from: string;
  /** Voucher that the customer bought, to be entered on the order's page. */
  readonly voucher?: Readonly<Record<string, string>>;
}

export interface Funding {
  readonly currency: string;
  readonly to: string;
  readonly amount: string;
}

/**
 * Call that the counterpart can't carry out, such as one with a wrong address or amount. Answered as 422 with the field's name.
 */
export class Refused extends Error {
  readonly field: string;

  constructor(field: string, detail: string) {
    super(detail);
    this.name = 'Refused';
    this.field = field;
  }
}
