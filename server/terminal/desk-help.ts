// Help of the desk's tool: all commands with their usage.

import { AFFILIATES_HELP } from './commands/desk-affiliates.ts';
import { ALARMS_HELP } from './commands/desk-alarms.ts';
import { ARRIVALS_HELP } from './commands/desk-arrivals.ts';
import { BUSINESSES_HELP, HELD_HELP } from './commands/desk-businesses.ts';
import { DEBTS_HELP } from './commands/desk-debts.ts';
import { DELIVERIES_HELP } from './commands/desk-deliveries.ts';
import { DOUBTS_HELP } from './commands/desk-doubts.ts';
import { COUPONS_HELP } from './commands/desk-coupons.ts';
import { POTS_HELP } from './commands/desk-pots.ts';
import { CUSTOMERS_HELP, PEOPLE_HELP } from './commands/desk-people.ts';
import { NEXT_HELP } from './commands/desk-next.ts';
import { DIRECTIONS_HELP, REPORTS_HELP } from './commands/desk-reports.ts';
import { RESTORED_HELP } from './commands/desk-restored.ts';
import { SCAN_HELP } from './commands/desk-scan.ts';
import { SESSION_HELP } from './desk-session.ts';
import { SETTINGS_HELP } from './commands/desk-settings.ts';
import { STOPS_HELP } from './commands/desk-stops.ts';
import { SUPPORT_HELP } from './commands/desk-support.ts';
import { type UsageGroup, maxWords, usageList, usageOf } from './desk-usage.ts';

/** Actions on an order. `order KX-…` shows which of them are possible now. */
export const ORDER_ACTIONS: readonly string[] = [
  'hold',
  'ask_papers',
  'papers_came',
  'release',
  'decide_refund',
  'approve',
  'stop',
  'refund',
  'retry',
  'resolve_sent',
  'resolve_not_sent',
  'freeze',
  'unfreeze',
  'surrender',
  'claim_give',
  'claim_get',
  'write_off',
];

const GROUPS: readonly UsageGroup[] = [
  [
    'Orders',
    [
      ['waiting', 'orders that wait for a person'],
      ['orders [--state S]… [--q TEXT] [--page N | --after NEXT]', 'all orders'],
      ['order KX-…', 'an order’s state, postings and sends, and possible actions'],
      [
        'ACT KX-… --reason "…" [--evidence FILE] [--account ADDRESS]',
        `ACT is one of: ${ORDER_ACTIONS.join(' ')}; --account where it needs one`,
      ],
    ],
  ],
  [
    'Second person',
    [
      ['requests', 'actions that wait for a second person, and their ids'],
      ['consent ID [--reason "…"]', 'be that person: the action is done as requested'],
    ],
  ],
  [
    'Wallets',
    [
      ['withdrawals', 'withdrawals that wait for a person'],
      ['let-out ID --reason "…"', 'approve a withdrawal'],
      ['turn-down ID --reason "…"', 'reject a withdrawal; its money is back in the wallet'],
      ['claims', 'claims of stores’ refunds that wait for the desk'],
      ['let-out-claim ID --reason "…"', 'approve a claim'],
      ['turn-down-claim ID --reason "…"', 'reject a claim; its money can be claimed again'],
      ['deposits', 'deposits whose sender a person must check'],
      ['clear-deposit ID --reason "…"', 'release a deposit'],
      ['ask_papers|papers_came ID --reason "…"', 'request papers of its holder · record that they came'],
      ['give-back ID [--account ADDRESS] --reason "…"', 'return a deposit to its sender'],
    ],
  ],
  ['Coupons', COUPONS_HELP],
  ['Affiliates', AFFILIATES_HELP],
  ['Businesses and invoices of the payment gate', [...BUSINESSES_HELP, ...HELD_HELP]],
  ['Payments', [...DEBTS_HELP, ...ARRIVALS_HELP, ...DOUBTS_HELP, ...RESTORED_HELP, ...SCAN_HELP]],
  ['Customers', [...CUSTOMERS_HELP, ...SUPPORT_HELP]],
  [
    'Switches, prices and settings',
    [
      ['rails', 'payment systems: purposes, whether they answer, status, missing settings'],
      [
        'rail NAME on|off [--for orders|deposits] --reason "…"',
        'switch new payments on or off; existing ones go on. With real money the first time takes two people',
      ],
      ...DIRECTIONS_HELP,
      ['direction FROM TO on|off --reason "…"', 'switch a direction’s new orders on or off'],
      [
        'payouts on|off [--rail NAME] --reason "…"',
        'switch payouts of one payment system, or all payouts; off takes one person, on takes two',
      ],
      ...STOPS_HELP,
      [
        'price SLUG [--spread 0=0.5,1000=0.4] [--min N|none] [--max N|none] [--open on|off] [--apply --reason "…"]',
        'preview how a change affects quotes; --apply makes it',
      ],
      [
        'cost CUR payin|payout [--percent P] [--fixed N] [--min N] [--cap N] [--apply --reason "…"]',
        'the same for a payment system’s costs',
      ],
      [
        'peg ASSET USD --until 2026-12-31T00:00:00Z --reason "…"',
        'set the price of an asset without a market, for a week at most',
      ],
      ['feed-code CUR CODE|none --reason "…"', 'set a currency’s code for exchange monitors in the rates feed'],
      ...SETTINGS_HELP,
    ],
  ],
  [
    'The desk’s own money',
    [
      ...REPORTS_HELP,
      ['reserves', 'money that is free, payable and promised; the books beside the payment systems'],
      ['capital', 'addresses and accounts for sending capital to, by currency'],
      [
        'fund CUR --txid TX --reason "…" [--place hot|fuel] [--rebalance]',
        'book capital that arrived on a chain; the sum is read from the transaction, once. --rebalance: it came from another payment system of ours',
      ],
      ['fund CUR AMOUNT --reference R --reason "…" [--place hot|fuel] [--rebalance]', 'the same for other payment systems'],
      [
        'withdraw CUR AMOUNT --to ADDRESS --reason "…" [--rebalance]',
        'send capital out; --rebalance: to another payment system of ours',
      ],
      ['fuel CUR AMOUNT [--back] --reason "…"', 'set coin aside for gas (ETH, BNB, TRX); --back: release it'],
      [
        'difference CUR hot|deposit|fuel more|less AMOUNT --reason "…"',
        'book the amount by which a payment system has more or less than the books',
      ],
      ['clear CUR AMOUNT free|loss|network|rail --reason "…"', 'assign a booked difference: two people'],
      [
        'clear CUR AMOUNT order --order KX-… --txid TX --reason "…"',
        'assign it to a customer, as an unallocated payment of their order',
      ],
      ['stuck CUR AMOUNT [--back] --reason "…"', 'mark money that a payment system withholds: nothing is promised in it'],
      ...POTS_HELP,
      ['close --reason "…"', 'close the books now, as happens each night: earnings become free money'],
    ],
  ],
  [
    'The desk itself',
    [
      ...ALARMS_HELP,
      ...DELIVERIES_HELP,
      ...SESSION_HELP,
      ...NEXT_HELP,
      ...PEOPLE_HELP,
      ['keys', 'the keys on this machine'],
      ['audit [--by NAME] [--subject S] [--page N | --after NEXT]', 'every action, with its reason'],
    ],
  ],
  [
    'Everywhere',
    [
      ['--as NAME', 'use this person’s key on this machine; by default the first one that may'],
      ['--url URL', 'the console’s address; by default the copy that runs here, else CONSOLE_URL'],
      ['--json', 'print the answer as JSON'],
      ['help COMMAND', 'help of one command'],
    ],
  ],
];

const namedAs = (command: string): string => (ORDER_ACTIONS.includes(command) ? 'ACT' : command);

/** Returns the first word that a command doesn't take; undefined if there is none or the command is unknown. */
export function surplusOf(command: string, words: readonly string[]): string | undefined {
  return words[maxWords(GROUPS, namedAs(command), words) ?? words.length];
}

/** Returns the help of all commands, or of one; undefined for an unknown name. */
export function help(command?: string): string | undefined {
  // `stop` is both an action on an order and a command.
  if (command !== undefined) {
    const usages = [...new Set([command, namedAs(command)])].flatMap((name) => usageOf(GROUPS, name) ?? []);
    return usages.length === 0 ? undefined : usages.join('\n');
  }
  return `The desk of Kurs: npm run desk -- COMMAND. Every action is written to the audit with its reason.
Your key is read from the file that KURS_DESK_KEY_FILE names (mode 0600). Times are UTC.
Begin with second-factor, sign-in and next, which says what is missing.

${usageList(GROUPS)}`;
}
