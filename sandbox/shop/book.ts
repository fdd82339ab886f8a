// The shop's book: its settings, its orders, and the webhooks that it received.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Settings of the shop: a store of the product, its API key, and the secret of its webhook. */
export interface ShopSettings {
  readonly store: string;
  readonly key: string;
  readonly secret: string;
}

export interface ShopOrder {
  readonly id: string;
  readonly good: string;
  readonly price: string;
  /** Id of the invoice; it comes with the answer of the product. */
  readonly invoice: string;
  /** Number of the last event that changed the order. */
  readonly version: number;
  readonly state: string;
}

/** A received webhook. */
export interface ShopEntry {
  readonly at: string;
  readonly type: string;
  readonly invoice: string;
  readonly order: string;
  readonly state: string;
  /** True if the signature of Standard Webhooks is right. */
  readonly isStandardRight: boolean;
  /** True if `BTCPay-Sig` is right. */
  readonly isBtcpayRight: boolean;
}

interface Stored {
  settings: ShopSettings;
  orders: ShopOrder[];
  log: ShopEntry[];
}

/** Maximum numbers of orders and of log entries that are stored. */
const MAX_STORED = 500;

/** Book of the shop, stored as a file. */
export class ShopBook {
  readonly #file: string;
  readonly #stored: Stored;

  constructor(folder: string, settings: ShopSettings) {
    this.#file = join(folder, 'shop.json');
    this.#stored = { settings, orders: [], log: [], ...read(this.#file) };
  }

  get settings(): ShopSettings {
    return this.#stored.settings;
  }

  get orders(): readonly ShopOrder[] {
    return this.#stored.orders;
  }

  get log(): readonly ShopEntry[] {
    return this.#stored.log;
  }

  configure(settings: ShopSettings): void {
    this.#stored.settings = settings;
    this.#save();
  }

  /** Adds an order, or replaces the one with its id. */
  put(order: ShopOrder): void {
    const { orders } = this.#stored;
    const at = orders.findIndex(({ id }) => id === order.id);
    this.#stored.orders = at < 0 ? [...orders, order].slice(-MAX_STORED) : orders.with(at, order);
    this.#save();
  }

  note(entry: ShopEntry): void {
    this.#stored.log = [...this.#stored.log, entry].slice(-MAX_STORED);
    this.#save();
  }

  #save(): void {
    writeFileSync(this.#file, JSON.stringify(this.#stored), { mode: 0o600 });
  }
}

function read(file: string): Partial<Stored> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<Stored>;
  } catch {
    return {};
  }
}
