// The desk tool's commands for the payment gate: businesses with decisions, limits and web sites, and held payments to invoices.

import { readFile } from 'node:fs/promises';
import type { Input, Output, Routes } from '@kurs/contract';
import { moment } from '../desk-print.ts';
import type { Usage } from '../desk-usage.ts';
import type { SupportTool } from './desk-support.ts';

type State = NonNullable<Input<Routes['operatorBusinesses']>['state']>;
type Action = Input<Routes['operatorBusinessDecide']>['action'];
type HeldAction = Input<Routes['operatorHeldPayment']>['action'];

export const BUSINESSES_HELP: readonly Usage[] = [
  [
    'businesses [STATE] [--q TEXT] [--page N | --after NEXT]',
    'businesses, the latest change first, with what they settled, refunded and lost in 30 days; STATE is applied, approved, refused, suspended or closed',
  ],
  ['business ID', 'a business: its application, owner, limit, stores, web sites that were added or struck, and history'],
  [
    'business ID approve|resume --evidence FILE --reason "…" [--note "…"]',
    'approve an application · resume a suspended business: two people, and its owner has level 2. The owner reads the note',
  ],
  [
    'business ID refuse|suspend|close --reason "…" [--note "…"]',
    'refuse an application · stop new invoices and payouts of a business · close it',
  ],
  [
    'business ID limits --day-usd N|none --reason "…"',
    'maximum that it settles in 24 hours; none: that of all businesses. Raising it takes two people',
  ],
  [
    'business ID write-off UNIT --evidence FILE --reason "…"',
    'write off what a business owes in a unit as a loss of the desk: two people. Its stores may move money again',
  ],
  [
    'business ID dispute-cost PAYMENT AMOUNT --evidence FILE --reason "…"',
    'book what a payment system charged for a dispute, in the currency of the payment, as its statement shows: two people. The business owes it',
  ],
  [
    'business ID paypal on|off [--invoice-usd N] [--receipts-usd N] [--release-days N] [--last-share N] --reason "…"',
    'let a business be paid by PayPal, and set its maximum of an invoice and of receipts of 180 days, and when its reserve is released: after N days, but for the last share in percent. What is left out is as usual. More takes two people',
  ],
  [
    'business ID strike|accept SITE --reason "…"',
    'let no buyer return to a web site; its owner is notified · let an added site stand. Accepting a struck one takes two people',
  ],
];

export const HELD_HELP: readonly Usage[] = [
  ['held', 'payments to invoices whose sender a person must check'],
  [
    'held ID release|refuse --reason "…"',
    'let a payment count for its invoice · refuse it: its payer gets it back, by the order that this opens',
  ],
  ['held ID freeze --reason "…"', 'freeze a payment by law: two people; `unfreeze` and `surrender` then take its order'],
  ['held ID ask_papers|papers_came --reason "…"', 'request papers of its payer · record that they came'],
];

type Command = (tool: SupportTool, args: readonly string[]) => Promise<void>;

/** Commands by their names. */
export const BUSINESSES: Readonly<Record<string, Command>> = {
  async businesses({ client, flags, isJson, table, print }, [state]) {
    const { data, meta } = await client.operatorBusinesses({
      ...(state !== undefined && { state: state as State }),
      ...(flags.q !== undefined && { q: flags.q }),
      ...(flags.page !== undefined && { page: flags.page }),
      ...(flags.after !== undefined && { after: flags.after }),
    });
    const rows = data.map(({ since, new_sites: sites, ...row }) => ({
      ...{ ...row, since: moment(since), new_sites: sites.join(' ') },
    }));
    table(isJson ? data : rows, 'No business matches.');
    if (meta.next !== undefined && !isJson) print(`next page: --after ${meta.next}`);
  },
  async business(tool, [id, action, site, sum]) {
    const { client, flags, need, key, show } = tool;
    const of = need(id, 'the id');
    if (action === undefined) return showBusiness(tool, await client.operatorBusiness({ id: of }));
    if (action === 'limits') {
      const day = need(flags['day-usd'], '--day-usd');
      const limit = { ...(day !== 'none' && { day_usd: day }), reason: need(flags.reason, '--reason') };
      return show(await client.operatorBusinessLimit({ id: of, ...limit }, key));
    }
    if (action === 'paypal') {
      const on = need(site === 'on' || site === 'off' ? site : undefined, 'on or off') === 'on';
      return show(
        await client.operatorBusinessReversible({ id: of, on, ...boundsIn(flags), reason: need(flags.reason, '--reason') }, key),
      );
    }
    if (action === 'write-off') {
      const evidence = await readFile(need(flags.evidence, '--evidence'), 'utf8');
      const debt = { unit: need(site, 'the unit'), evidence, reason: need(flags.reason, '--reason') };
      return show(await client.operatorBusinessWriteOff({ id: of, ...debt }, key));
    }
    if (action === 'dispute-cost') {
      const evidence = await readFile(need(flags.evidence, '--evidence'), 'utf8');
      const cost = { payment: need(site, 'the payment’s id'), amount: need(sum, 'the amount'), evidence };
      return show(await client.operatorBusinessDisputeCost({ id: of, ...cost, reason: need(flags.reason, '--reason') }, key));
    }
    if (action === 'strike' || action === 'accept') {
      const decided = { site: need(site, 'the web site'), reason: need(flags.reason, '--reason') };
      return show(await client.operatorBusinessSite({ id: of, action, ...decided }, key));
    }
    const decision = {
      ...{ id: of, action: action as Action, reason: need(flags.reason, '--reason') },
      ...(flags.evidence !== undefined && { evidence: await readFile(flags.evidence, 'utf8') }),
      ...(flags.note !== undefined && { note: flags.note }),
    };
    return show(await client.operatorBusinessDecide(decision, key));
  },
};

/** Returns the bounds that flags name. */
function boundsIn(flags: SupportTool['flags']): Omit<Input<Routes['operatorBusinessReversible']>, 'id' | 'on' | 'reason'> {
  const [days, share] = [flags['release-days'], flags['last-share']];
  return {
    ...(flags['invoice-usd'] !== undefined && { invoice_usd: flags['invoice-usd'] }),
    ...(flags['receipts-usd'] !== undefined && { receipts_usd: flags['receipts-usd'] }),
    ...(days !== undefined && { release_days: Number(days) }),
    ...(share !== undefined && { last_share: Number(share) }),
  };
}

const boundsText = (terms: Output<Routes['operatorBusiness']>['reversible']): string => {
  const { invoice_usd: invoice, receipts_usd: receipts, release_days: days, last_share: share } = terms;
  const late = share > 0 && days < 180 ? `, ${share} % after 180 days` : '';
  return `${invoice} USD an invoice, ${receipts} USD in 180 days, released after ${days} days${late}`;
};

function showBusiness({ isJson, show }: SupportTool, found: Output<Routes['operatorBusiness']>): void {
  const {
    web_sites: sites,
    owners,
    turnover_usd: turnover,
    day_usd: limit,
    day_usd_own: isOwn,
    sites: added,
    reversible,
    owes,
    ...rest
  } = found;
  const words = {
    ...{ web_sites: sites.join(' '), owners: owners.map(({ name, percent }) => `${name} ${percent} %`).join(', ') },
    ...{ turnover: `${turnover} USD a month`, limit: `${limit} USD in 24 hours${isOwn ? ', its own' : ''}` },
    owes: owes.map(({ amount, currency }) => `${amount} ${currency}`).join(', ') || 'nothing',
    paypal: reversible.on ? `on, ${boundsText(reversible)}` : 'off',
    sites: added.map(({ added_at: at, ...site }) => ({ ...site, added_at: moment(at) })),
  };
  show(isJson ? found : { ...rest, ...words });
}

/** Commands about held payments, by their names. */
export const HELD: Readonly<Record<string, Command>> = {
  async held({ client, flags, isJson, table, need, key, show }, [id, action]) {
    if (id !== undefined) {
      const decision = { id, action: need(action, 'the action') as HeldAction, reason: need(flags.reason, '--reason') };
      return show(await client.operatorHeldPayment(decision, key));
    }
    const found = await client.operatorHeldPayments({});
    const rows = found.map(({ amount, counts, from, back_to: to, since, until, papers = '', email = '', ...row }) => ({
      ...{ ...row, email, papers, amount: `${amount.amount} ${amount.currency}`, counts: `${counts.amount} ${counts.currency}` },
      ...{ from: from.join(' '), 'back to': to ? Object.values(to).join(' ') : 'its payer names it' },
      ...{ since: moment(since), until: moment(until) },
    }));
    table(isJson ? found : rows, 'No payment to an invoice waits for a person.');
  },
};
