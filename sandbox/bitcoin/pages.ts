/** What a server of the interface may do beside answering well, since they differ, lag behind, and err. */
export interface PageTricks {
  /** Waiting and mined transactions share one first page of fifty, the waiting ones first. */
  readonly shared: boolean;
  /** Mined transactions on a page. */
  readonly rows: number;
  /** Transactions that no list and no look-up shows. */
  readonly hidden: readonly string[];
  /** No output is said to be spent: an index that lags behind. */
  readonly unspent: boolean;
  /** Fields that are another in every status of a mined transaction, and in the fee estimates. */
  readonly status: Readonly<Record<string, unknown>>;
  readonly estimates: Readonly<Record<string, unknown>>;
}

const HONEST: PageTricks = { shared: false, rows: 25, hidden: [], unspent: false, status: {}, estimates: {} };

/** How the pages of one server are at present. */
export class Pages {
  tricks: PageTricks = HONEST;

  /** Sets what is named; all else is as Esplora does it. */
  set(tricks: Partial<PageTricks>): void {
    this.tricks = { ...HONEST, ...tricks };
  }

  /** The first page of an address. */
  first<T>(waiting: readonly T[], mined: readonly T[]): T[] {
    const { shared, rows } = this.tricks;
    return shared ? [...waiting, ...mined].slice(0, 50) : [...waiting.slice(0, 50), ...mined.slice(0, rows)];
  }

  isHidden(txid: string): boolean {
    return this.tricks.hidden.includes(txid);
  }
}
