import { ROWS, type OrderTransition } from '../exchange/index.ts';
import type { Db } from '../platform/index.ts';

/** Counts, in the form that threads exchange. */
export type Met = Pick<Tally, 'rows' | 'faults' | 'steps' | 'seeds'>;

/** Payments' own names of events in a timeline, by the event of the machine's row. */
const REPORTED_AS: Readonly<Record<string, readonly string[]>> = {
  transfer_sent: ['accepted', 'found'],
  transfer_failed: ['refused', 'absent'],
};

/** Counts what has happened: each row of the machine, each kind of fault, each kind of step. */
export class Tally {
  readonly rows = new Map<string, number>(ROWS.map((row) => [nameOf(row), 0]));
  readonly faults = new Map<string, number>();
  readonly steps = new Map<string, number>();
  seeds = 0;

  row(row: OrderTransition): void {
    add(this.rows, nameOf(row), 1);
  }

  fault(name: string): void {
    add(this.faults, name, 1);
  }

  step(name: string): void {
    add(this.steps, name, 1);
  }

  /** Counts what another one has counted as well. */
  add({ rows, faults, steps, seeds }: Met): void {
    this.seeds += seeds;
    for (const [mine, theirs] of [
      [this.rows, rows],
      [this.faults, faults],
      [this.steps, steps],
    ] as const) {
      for (const [name, count] of theirs) add(mine, name, count);
    }
  }

  /** Counts the rows that the timelines of a database tell of. */
  async readTimelines(db: Db): Promise<void> {
    const events = await db.rows<{ event: string; from: string; isUnallocated: boolean; count: number }>(
      `select event, from_state as "from", kind is not distinct from 20 as "isUnallocated", count(*)::int as count
       from order_event left join posting on journal = id and leg = 0 group by 1, 2, 3`,
    );
    for (const { event, from, isUnallocated, count } of events) {
      const isReported = (row: OrderTransition): boolean =>
        row.event === event || REPORTED_AS[row.event]?.includes(event) === true;
      const rows = ROWS.filter((row) => isReported(row) && (row.from as readonly string[]).includes(from));
      // Only `dispute_won` has two rows in one state; the one without a receivable opens an unallocated payment.
      const row = rows.length > 1 ? rows.find(({ step }) => (step === 'won_unallocated') === isUnallocated) : rows[0];
      if (row) add(this.rows, nameOf(row), count);
    }
  }

  /** Returns the rows and kinds of faults that were never visited. */
  missing(faults: readonly string[]): string[] {
    const idle = [...this.rows].filter(([, count]) => count === 0).map(([name]) => `row ${name}`);
    return [...idle, ...faults.filter((name) => !this.faults.has(name)).map((name) => `fault ${name}`)];
  }

  /** The counts, a line for each sort that has any, the seldom ones first. */
  lines(): string[] {
    const sorts = { rows: this.rows, faults: this.faults, steps: this.steps };
    const lines = Object.entries(sorts).flatMap(([title, counts]) => {
      const seldomFirst = [...counts].sort(([, a], [, b]) => a - b);
      const reported = seldomFirst.map(([name, count]) => `${name} ${count}`).join(' · ');
      return counts.size > 0 ? [`${title}: ${reported}`] : [];
    });
    return [`${this.seeds} seeds`, ...lines];
  }
}

/** `payin_reversed in frozen`; a row of many states is named by the first of them. */
function nameOf({ event, from, step }: OrderTransition): string {
  return `${event} in ${from.length > 1 ? `${from[0]} and others` : from[0]}${event === 'dispute_won' ? ` (${step})` : ''}`;
}

function add(counts: Map<string, number>, name: string, more: number): void {
  counts.set(name, (counts.get(name) ?? 0) + more);
}
