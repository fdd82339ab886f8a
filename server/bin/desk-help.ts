import { ARRIVALS_HELP } from './desk-arrivals.ts';
import { DEBTS_HELP } from './desk-debts.ts';
import { DOUBTS_HELP } from './desk-doubts.ts';
import { PEOPLE_HELP } from './desk-people.ts';
import { SETTINGS_HELP } from './desk-settings.ts';
import { SUPPORT_HELP } from './desk-support.ts';

/** Every command of the desk tool. */
export const HELP = `The desk of Kurs. Every act is written to the audit with its reason.

  keys                                        the keys on this machine
  waiting                                     orders that wait for a person
  orders [--state S]… [--q text] [--page N]   all orders
  order KX-…                                  one order: its state, postings and sends, and what can be done
  <act> KX-… --reason "…" [--evidence FILE]   hold ask_papers papers_came release decide_refund approve stop
                                              refund retry resolve_sent resolve_not_sent freeze unfreeze surrender
                                              claim_give claim_get write_off
                                              [--account ADDRESS] names an account where the act needs one
  requests                                    acts that wait for a second person
${PEOPLE_HELP}
  withdrawals                                 withdrawals from wallets that wait for a person
  let-out ID --reason "…"                     send one · turn-down ID --reason "…": its money is back in the wallet
  deposits                                    deposits into wallets whose sender a person has to look at
  clear-deposit ID --reason "…"               let one go on · give-back ID [--account ADDRESS] --reason "…": to its sender
${ARRIVALS_HELP}
${DEBTS_HELP}
${DOUBTS_HELP}
${SUPPORT_HELP}
  direction FROM TO on|off --reason "…"       switch a direction
  price SLUG [--spread 0=0.5,1000=0.4] [--min N] [--max N] [--open on|off]     what a change would do to quotes
  cost CUR payin|payout [--percent P] [--fixed N] [--min N] [--cap N]          the same for what a rail takes
                                              both: [--apply --reason "…"] lets the same change go live; --min none: no bound
  peg ASSET USD --until 2026-12-31T00:00:00Z --reason "…"      the price of what no market lists, for a week at most
  feed-code CUR CODE|none --reason "…"          what exchange monitors call a currency in the rates feed
  payouts on|off [--rail R] --reason "…"      switch a rail's payouts, or all: off one person, on again two
${SETTINGS_HELP}
  rails                                       each payment system: on or off, whether it answers, since when, its word; why it is not set up
  capital                                     where the desk's own money is sent, by currency: our address or account
  rail NAME on|off --reason "…"               let it take new orders, or not; what was ordered goes on
  fund CUR AMOUNT --reference R --reason "…" [--place hot|fuel] [--rebalance]
  fuel CUR AMOUNT [--back] --reason "…"       set coin of the hot wallet aside for gas (ETH, BNB, TRX); --back: free again
  withdraw CUR AMOUNT --to ADDRESS --reason "…" [--rebalance]
                                              --rebalance: to another rail, or from one
  difference CUR hot|deposit|fuel more|less AMOUNT --reason "…"   book what a rail has more or less than the books
  clear CUR AMOUNT free|loss|network|rail --reason "…"         move it to where it belongs: two people
  clear CUR AMOUNT order --order KX-… --txid TX --reason "…"   to the customer whose it is, as a stray of his order
  stuck CUR AMOUNT [--back] --reason "…"      a rail holds it back: promise nothing in it
  close --reason "…"                          now, as each night by itself: what was earned becomes free money
  reserves                                    free, payable, promised; books beside rails
  audit [--by NAME] [--subject S] [--page N]

  --as NAME    whose key of those on this machine (default: the first that may do it); with KURS_DESK_KEY_FILE the key in that file
  --url URL    where the API is (default: BASE_URL)              --json       the answer as it came`;
