// The desk tool's commands for the restored mode: the database may be older than what has happened to the money.

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { SupportTool } from './desk-support.ts';
import { moment } from '../desk-print.ts';
import type { Usage } from '../desk-usage.ts';

export const RESTORED_HELP: readonly Usage[] = [
  [
    'restored',
    'whether the database may be older than past payments, the findings, and the sends that the books don’t know. Payouts are off while it is',
  ],
  [
    'book-sent ID [--payout ID]… [--txid TX] --evidence FILE --reason "…"',
    'the send was a payout of these books: it counts as sent and never leaves again. Two people',
  ],
  [
    'book-unknown ID [CUR AMOUNT] --evidence FILE --reason "…"',
    'the send was no payout of these books: its money is unexplained until `clear` assigns it. Two people',
  ],
  [
    'explain-send ID --evidence FILE --reason "…"',
    'the send moved our money between our own addresses, or is booked already: two people',
  ],
  [
    'explain-sends RAIL --evidence FILE --reason "…"',
    'the same for all sends of a payment system that can’t have been payouts of these books, for example after restoring from the seed’s words: two people',
  ],
  ['end-restored --evidence FILE --reason "…"', 'end the restored mode, so that money may leave again: two people'],
];

const banner = (said: string): string =>
  `RESTORED MODE ${said}: this database may be older than what has happened to the money.
Nothing is paid out until two people end it. What to do: npm run desk -- restored
`;

/**
 * Returns a function that prints the banner if an answer's headers say that the mode is on, once per command. With `isJson` the
 * banner goes to standard error, so that programs can read the answer.
 */
export function bannerOf(isJson: boolean): (headers: Headers) => void {
  let isReported = false;
  return (headers) => {
    const said = headers.get('kurs-restored');
    if (said === null || isReported) return;
    isReported = true;
    (isJson ? process.stderr : process.stdout).write(`${banner(said)}\n`);
  };
}

type Send = Awaited<ReturnType<SupportTool['client']['operatorRestored']>>['sends'][number];

const sendRow = ({ id, rail, source, reference, currency, amount, to, at, found_at: foundAt, payouts, next }: Send): object => ({
  ...{ id, rail, 'known by': source, reference },
  sum: amount === undefined ? (currency ?? '') : `${amount} ${currency}`,
  ...{ to: to ?? '', at: moment(at ?? foundAt) },
  payouts: payouts.map((payout) => `${payout.id} ${payout.owner} ${payout.status}`).join(', ') || 'none here',
  next,
});

type Command = (tool: SupportTool, args: readonly string[]) => Promise<void>;

const decide =
  (action: 'sent' | 'unknown' | 'explained'): Command =>
  async ({ client, flags, need, key, show }, [id, currency, amount]) => {
    const { payout, txid } = flags;
    const said = {
      ...(action === 'sent' && payout ? { payouts: [...payout] } : {}),
      ...(action === 'sent' && txid !== undefined && { txid }),
      ...(action === 'unknown' && currency !== undefined && { currency }),
      ...(action === 'unknown' && amount !== undefined && { amount }),
    };
    const evidence = await readFile(need(flags.evidence, '--evidence'), 'utf8');
    const decided = { id: need(id, 'the send'), action, ...said, evidence, reason: need(flags.reason, '--reason') };
    show(await client.operatorRestoredBook(decided, key));
  };

/** Commands by their names. */
export const RESTORED: Readonly<Record<string, Command>> = {
  async restored({ client, isJson, show, print, table }) {
    const found = await client.operatorRestored({});
    if (isJson) return show(found);
    const rails = [...new Set(found.sends.map(({ rail }) => rail))].join(', ');
    print(found.restored ? `${found.why.join('\n')}\n` : 'The restored mode is off.\n');
    if (rails !== '') print(`Nothing is sent by ${rails} until two people have decided about each of these:\n`);
    table(found.sends.map(sendRow), 'No unrecorded send is known.');
  },
  'book-sent': decide('sent'),
  'book-unknown': decide('unknown'),
  'explain-send': decide('explained'),
  async 'explain-sends'({ client, flags, need, print }, [name]) {
    const rail = need(name, 'the payment system');
    const evidence = await readFile(need(flags.evidence, '--evidence'), 'utf8');
    const reason = need(flags.reason, '--reason');
    const { sends } = await client.operatorRestored({});
    const of = sends.filter((send) => send.rail === rail);
    const unclear = of.filter(({ payouts }) => payouts.length > 0);
    const counts = { done: 0, awaiting_second: 0 };
    for (const { id } of of.filter(({ payouts }) => payouts.length === 0)) {
      const request = { id, action: 'explained' as const, evidence, reason };
      const { status } = await client.operatorRestoredBook(request, { idempotencyKey: randomUUID() });
      counts[status] += 1;
    }
    print(`${counts.done} explained · ${counts.awaiting_second} wait for a second person, who gives the same command`);
    if (unclear.length > 0) print(`${unclear.length} left: they may have been payouts of these books. Decide each separately.`);
  },
  async 'end-restored'({ client, flags, need, key, show }) {
    const evidence = await readFile(need(flags.evidence, '--evidence'), 'utf8');
    show(await client.operatorRestoredEnd({ evidence, reason: need(flags.reason, '--reason') }, key));
  },
};
