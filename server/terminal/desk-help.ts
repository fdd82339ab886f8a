// Help of the desk's tool: all commands with their usage.

import { AFFILIATES_HELP } from './commands/desk-affiliates.ts';
import { ALARMS_HELP } from './commands/desk-alarms.ts';
import { ARRIVALS_HELP } from './commands/desk-arrivals.ts';
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
import { type UsageGroup, mostWords, usageList, usageOf } from './desk-usage.ts';

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
      ['order KX-…', 'its state, postings and sends, and which actions it takes'],
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
      ['consent ID [--reason "…"]', 'be that person: it is done as it was asked for'],
    ],
  ],
  [
    'Wallets',
    [
      ['withdrawals', 'withdrawals that wait for a person'],
      ['let-out ID --reason "…"', 'send one'],
      ['turn-down ID --reason "…"', 'its money is back in the wallet'],
      ['deposits', 'deposits whose sender a person has to look at'],
      ['clear-deposit ID --reason "…"', 'let one go on'],
      ['ask_papers|papers_came ID --reason "…"', 'ask its holder for papers · they have come'],
      ['give-back ID [--account ADDRESS] --reason "…"', 'give one back to its sender'],
    ],
  ],
  ['Coupons', COUPONS_HELP],
  ['Affiliates', AFFILIATES_HELP],
  ['Payments', [...DEBTS_HELP, ...ARRIVALS_HELP, ...DOUBTS_HELP, ...RESTORED_HELP, ...SCAN_HELP]],
  ['Customers', [...CUSTOMERS_HELP, ...SUPPORT_HELP]],
  [
    'Switches, prices and settings',
    [
      ['rails', 'each payment system: what it takes payments for, whether it answers, what it says, what is missing'],
      [
        'rail NAME on|off [--for orders|deposits] --reason "…"',
        'let it take what is new, or not; what was begun goes on. With real money its first time takes two people',
      ],
      ...DIRECTIONS_HELP,
      ['direction FROM TO on|off --reason "…"', 'let it take new orders, or not'],
      [
        'payouts on|off [--rail NAME] --reason "…"',
        'of one payment system, or all as `stop payouts` does: off takes one person, on again two',
      ],
      ...STOPS_HELP,
      [
        'price SLUG [--spread 0=0.5,1000=0.4] [--min N|none] [--max N|none] [--open on|off] [--apply --reason "…"]',
        'what a change would do to quotes; --apply makes it',
      ],
      [
        'cost CUR payin|payout [--percent P] [--fixed N] [--min N] [--cap N] [--apply --reason "…"]',
        'the same for what a payment system takes',
      ],
      ['peg ASSET USD --until 2026-12-31T00:00:00Z --reason "…"', 'the price of what no market lists, for a week at most'],
      ['feed-code CUR CODE|none --reason "…"', 'what exchange monitors call a currency in the rates feed'],
      ...SETTINGS_HELP,
    ],
  ],
  [
    'The desk’s own money',
    [
      ...REPORTS_HELP,
      ['reserves', 'free, payable, promised; the books beside the payment systems'],
      ['capital', 'where it is sent to, by currency: our address or account'],
      [
        'fund CUR --txid TX --reason "…" [--place hot|fuel] [--rebalance]',
        'book what came on a chain: its sum is read from the transaction, once; --rebalance: from another payment system of ours',
      ],
      ['fund CUR AMOUNT --reference R --reason "…" [--place hot|fuel] [--rebalance]', 'the same of what is no chain'],
      [
        'withdraw CUR AMOUNT --to ADDRESS --reason "…" [--rebalance]',
        'send it out; --rebalance: to another payment system of ours',
      ],
      ['fuel CUR AMOUNT [--back] --reason "…"', 'set coin aside for gas (ETH, BNB, TRX); --back: free again'],
      [
        'difference CUR hot|deposit|fuel more|less AMOUNT --reason "…"',
        'book what a payment system has more or less than the books',
      ],
      ['clear CUR AMOUNT free|loss|network|rail --reason "…"', 'move a difference to where it belongs: two people'],
      [
        'clear CUR AMOUNT order --order KX-… --txid TX --reason "…"',
        'to the customer whose it is, as an unallocated payment of their order',
      ],
      ['stuck CUR AMOUNT [--back] --reason "…"', 'a payment system holds it back: promise nothing in it'],
      ...POTS_HELP,
      ['close --reason "…"', 'close the books now, as happens each night: what was earned becomes free money'],
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
      ['--as NAME', 'whose key of those on this machine; else the first that may do it'],
      ['--url URL', 'where the API is; else the copy that runs here, else KURS_API_URL'],
      ['--json', 'the answer as it came'],
      ['help COMMAND', 'one command'],
    ],
  ],
];

const namedAs = (command: string): string => (ORDER_ACTIONS.includes(command) ? 'ACT' : command);

/** Returns the first word that a command doesn't take; undefined if there is none or the command is unknown. */
export function surplusOf(command: string, words: readonly string[]): string | undefined {
  return words[mostWords(GROUPS, namedAs(command)) ?? words.length];
}

/** Returns the help of all commands, or of one; undefined for an unknown name. */
export function help(command?: string): string | undefined {
  // `stop` is both an action on an order and a command.
  if (command !== undefined) {
    const usages = [...new Set([command, namedAs(command)])].flatMap((name) => usageOf(GROUPS, name) ?? []);
    return usages.length === 0 ? undefined : usages.join('\n');
  }
  return `The desk of Kurs: npm run desk -- COMMAND. Every action is written to the audit with its reason.
The key to act by is read from the file that KURS_DESK_KEY_FILE names (mode 0600). Times are UTC.
Begin with second-factor, sign-in and next, which says what is missing.

${usageList(GROUPS)}`;
}
