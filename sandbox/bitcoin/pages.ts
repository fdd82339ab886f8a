/** Deviations of a server's answers: servers differ, lag behind and fail. */
export interface PageTricks {
  /** Waiting and mined transactions share a first page of fifty, waiting ones first. */
  readonly isShared: boolean;
  /** Number of mined transactions on a page. */
  readonly rows: number;
  /** Transactions that all lists and look-ups omit. */
  readonly hidden: readonly string[];
  /** Reports every output as unspent, as a lagging index does. */
  readonly isUnspent: boolean;
  /** Fields that replace those in each status of a mined transaction, and in the fee estimates. */
  readonly status: Readonly<Record<string, unknown>>;
  readonly estimates: Readonly<Record<string, unknown>>;
}

const HONEST: PageTricks = { isShared: false, rows: 25, hidden: [], isUnspent: false, status: {}, estimates: {} };

/** Behaviour of one server's pages. */
export class Pages {
  tricks: PageTricks = HONEST;

  /** Sets the named deviations; all others are reset to Esplora's behaviour. */
  set(tricks: Partial<PageTricks>): void {
    this.tricks = { ...HONEST, ...tricks };
  }

  /** Returns the first page of an address. */
  first<T>(waiting: readonly T[], mined: readonly T[]): T[] {
    const { isShared, rows } = this.tricks;
    return isShared ? [...waiting, ...mined].slice(0, 50) : [...waiting.slice(0, 50), ...mined.slice(0, rows)];
  }

  isHidden(txid: string): boolean {
    return this.tricks.hidden.includes(txid);
  }
}
