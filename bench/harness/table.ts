// The table of speed: rows from all measurements, as text for a terminal and as Markdown for `bench/last.md`.

/** One line of the table. */
export interface SpeedRow {
  readonly what: string;
  readonly goal: string;
  readonly measured: string;
  readonly isReached: boolean;
}

/** Makes a row for a figure that must be at least (`≥`) or at most (`≤`) its goal. `words`: the underlying figures. */
export function row(what: string, sign: '≥' | '≤', goal: number, value: number, unit: string, words: string): SpeedRow {
  const digits = Math.abs(goal) < 5 ? 2 : Math.abs(goal) < 70 ? 1 : 0;
  return {
    what,
    goal: `${sign} ${goal}${unit}`,
    measured: `${value.toFixed(digits)}${unit} (${words})`,
    isReached: sign === '≥' ? value >= goal : value <= goal,
  };
}

/** Makes one row of several figures. It reaches its goal if each of them does. */
export const joined = (what: string, rows: readonly SpeedRow[]): SpeedRow => ({
  what,
  goal: [...new Set(rows.map(({ goal }) => goal))].join(', '),
  measured: rows.map(({ measured }) => measured).join('; '),
  isReached: rows.every(({ isReached }) => isReached),
});

/** Makes a row for a failed measurement, which misses its goal. */
export const failedRow = (what: string, error: unknown): SpeedRow => ({
  what,
  goal: '',
  measured: `not measured: ${error instanceof Error ? error.message : String(error)}`,
  isReached: false,
});

export interface Circumstances {
  readonly at: Date;
  readonly machine: string;
  /** PostgreSQL's settings as the server reports them. */
  readonly settings: string;
  readonly rounds: number;
  readonly seconds: number;
}

/** Returns the whole report as Markdown. */
export function markdown(rows: readonly SpeedRow[], { at, machine, settings, rounds, seconds }: Circumstances): string {
  const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const lines = rows.map(({ what, goal, measured, isReached }) => {
    return `| ${cell(what)} | ${cell(goal)} | ${cell(measured)} | ${isReached ? 'pass' : '**miss**'} |`;
  });
  return `<!-- written by npm run bench -->
Measured ${at.toISOString().slice(0, 10)} on ${machine}. Medians of ${rounds} alternated rounds of ${seconds} s; CPU is user and
system time of the measured processes for one operation. PostgreSQL: ${settings}.

| what | goal | measured | |
|---|---|---|---|
${lines.join('\n')}
`;
}

/** Returns a row as a line for the terminal. */
export const line = ({ what, goal, measured, isReached }: SpeedRow): string =>
  `${isReached ? 'pass' : 'MISS'}  ${what}: ${measured}, goal ${goal}`;
