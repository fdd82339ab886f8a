// Flags of the desk's tool.

import { parseArgs } from 'node:util';

const OPTIONS = {
  allowPositionals: true,
  options: {
    account: { type: 'string' },
    alias: { type: 'string' },
    all: { type: 'boolean' },
    amount: { type: 'string' },
    apply: { type: 'boolean' },
    as: { type: 'string' },
    back: { type: 'boolean' },
    by: { type: 'string' },
    batch: { type: 'string' },
    cap: { type: 'string' },
    csv: { type: 'boolean' },
    code: { type: 'string' },
    'day-usd': { type: 'string' },
    directions: { type: 'string' },
    email: { type: 'string' },
    first: { type: 'boolean' },
    uses: { type: 'string' },
    value: { type: 'string' },
    evidence: { type: 'string' },
    fingerprint: { type: 'string' },
    fixed: { type: 'string' },
    for: { type: 'string' },
    from: { type: 'string' },
    gap: { type: 'string' },
    help: { type: 'boolean' },
    json: { type: 'boolean' },
    key: { type: 'string' },
    max: { type: 'string' },
    min: { type: 'string' },
    'invoice-usd': { type: 'string' },
    'last-share': { type: 'string' },
    missed: { type: 'boolean' },
    note: { type: 'string' },
    open: { type: 'string' },
    order: { type: 'string' },
    page: { type: 'string' },
    after: { type: 'string' },
    'per-customer': { type: 'string' },
    payout: { type: 'string', multiple: true },
    percent: { type: 'string' },
    place: { type: 'string' },
    q: { type: 'string' },
    rail: { type: 'string' },
    reason: { type: 'string' },
    'receipts-usd': { type: 'string' },
    rebalance: { type: 'boolean' },
    reference: { type: 'string' },
    'release-days': { type: 'string' },
    resume: { type: 'boolean' },
    share: { type: 'string' },
    'split-most': { type: 'string' },
    spread: { type: 'string' },
    state: { type: 'string', multiple: true },
    subject: { type: 'string' },
    suspend: { type: 'boolean' },
    text: { type: 'string' },
    to: { type: 'string' },
    txid: { type: 'string' },
    until: { type: 'string' },
    url: { type: 'string' },
    version: { type: 'string' },
  },
} as const;

/** Parses the command line. Prints an error and exits for an unknown flag. */
export function typed(): ReturnType<typeof parseArgs<typeof OPTIONS>> {
  try {
    return parseArgs({ ...OPTIONS, args: process.argv.slice(2).map(openAlone) });
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\nAll commands: npm run desk -- help\n`);
    process.exit(1);
  }
}

/** Gives `--open` a value after `tickets`, where it stands alone. */
function openAlone(word: string, _at: number, words: readonly string[]): string {
  return word === '--open' && words.includes('tickets') ? '--open=on' : word;
}
