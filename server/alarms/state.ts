// Checks of the product's state in the database, and of the machine.

import { statfs } from 'node:fs/promises';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { assetOf, format, money } from '@kurs/money';
import {
  comparedAt,
  currencies,
  currencyName,
  currencyOf,
  differences,
  doubtsByRail,
  overduePolls,
  openRestore,
  overdueWords,
  railStates,
  unclosedSince,
  unrecordedSends,
  writeSum,
} from '../payments/index.ts';
import type { Db, Statements } from '../platform/index.ts';
import { waitingCounts } from '../affiliates/index.ts';
import { waitingLate } from '../coupons/index.ts';
import { wasEmptyAtNoons } from '../earn/index.ts';
import { countDebtsSince } from '../compliance/index.ts';
import { countHeldOrders } from '../exchange/index.ts';
import { countHardHolds, countUndecidedSites, owingBusinesses, reversingBusinesses } from '../gate/index.ts';
import { leftInPots } from '../pots/index.ts';
import { currentView, reserveOf } from '../pricing/index.ts';
import { type ClosedReason, closedReason, latest, now, usdValue } from '../rates/index.ts';
import type { Found } from './alarm.ts';
import { settings } from './settings.ts';

const DOUBT_MINUTES = 10;
const BOOKS_MINUTES = 10;
/** Maximum time between two comparisons of the books, in minutes. The books are compared every minute. */
const COMPARED_MINUTES = 10;
/** Maximum time from the end of a day until its books are closed, in hours. */
const CLOSED_HOURS = 2;
const TLS_MS = 10_000;
const DAY_MS = 86_400_000;

/**
 * Returns findings about rails, prices, reserves, pots, rewards, payouts, books and overdue work. The calling process must watch
 * prices and rates, because they are read from its memory.
 */
export async function foundInRooms(db: Db): Promise<Found[]> {
  const [rails, doubts, books] = [await foundOfRails(db), await foundOfDoubts(db), await foundOfBooks(db)];
  const [polls, overdue] = [await foundOfPolls(db), await foundOverdue(db)];
  const down = new Set(rails.map(({ key }) => key));
  return [
    ...foundOfRates(),
    ...rails,
    ...foundOfReserves(down),
    ...(await foundOfPots(db)),
    ...(await foundOfRewards(db)),
    ...doubts,
    ...(await foundUnrecorded(db)),
    ...(await foundOfBusinesses(db)),
    ...(await foundOfDebts(db)),
    ...(await foundOfHolds(db)),
    ...books,
    ...polls,
    ...overdue,
    ...(await foundOfRestore(db)),
  ];
}

/** Returns a finding while the product is in restored mode: the database may be an older copy. */
async function foundOfRestore(db: Statements): Promise<Found[]> {
  const open = await openRestore(db);
  if (!open) return [];
  const words = `Restored mode: nothing is paid out until two people end it. ${open.why.map(({ detail }) => detail).join(' ')}`;
  return [{ key: 'restored', kind: 'restored', words }];
}

function foundOfRates(): Found[] {
  const open = currentView().directions.filter(({ isOn }) => isOn);
  const codes = new Set(open.flatMap(({ from, to }) => [from, to]));
  const assets = new Set([...codes].flatMap((code) => (currencyOf(code) ? assetOf(currencyOf(code)!.unit) : [])));
  const [snapshot, at] = [latest(), now()];
  const stale = [...assets].flatMap((asset) => {
    const reason = closedReason(snapshot, at, [asset]);
    return reason === undefined ? [] : [{ asset, why: WHY_CLOSED[reason] }];
  });
  if (stale.length === 0) return [];
  const silent = Object.entries(snapshot?.body.sources ?? {}).flatMap(([source, how]) => (how === 'failed' ? source : []));
  const why = [...new Set(stale.map((one) => one.why)), ...(silent.length > 0 ? [`no answer from ${silent.join(', ')}`] : [])];
  const which = stale.map(({ asset }) => asset).join(', ');
  const words = `There is no fresh rate of ${which}, so its exchanges are stopped. Reason: ${why.join('; ')}.`;
  return [{ key: 'rates', kind: 'rates', words }];
}

const WHY_CLOSED: Readonly<Record<ClosedReason, string>> = {
  rates: 'no price was ever read',
  rates_old: 'two markets have not confirmed a price for half a minute',
  rates_apart: 'the markets differ too much',
  rates_moving: 'the price moves too fast',
};

/** Returns a finding for each rail that is down, or whose provider has not granted a right that it needs. */
async function foundOfRails(db: Statements): Promise<Found[]> {
  const carried = new Set(currencies().map(({ rail }) => rail));
  return (await railStates(db)).flatMap(({ rail, isUp, detail, lacks, since }): Found[] => {
    if (!carried.has(rail)) return [];
    if (!isUp) return [{ key: `rail ${rail}`, kind: 'rail', words: `${rail} is down since ${since.toISOString()}: ${detail}` }];
    return lacks === undefined ? [] : [{ key: `right ${rail}`, kind: 'right', words: `${lacks}.` }];
  });
}

/** Returns a finding for each rail with overdue polls. Either its limit of calls is too low, or its server is too slow. */
async function foundOfPolls(db: Statements): Promise<Found[]> {
  return (await overduePolls(db)).flatMap((late): Found[] => {
    if (!late.isReported) return [];
    const words = `On ${late.rail} ${overdueWords(late)}: \`payments.calls_per_second\` is too low, or its server too slow.`;
    return [{ key: `late_polls ${late.rail} ${late.isAwaited ? 'awaited' : 'others'}`, kind: 'late_polls', words }];
  });
}

/**
 * Returns a finding for each currency with a low reserve. Leaves out currencies of rails that are down, since a rail that is down
 * has its own alarm.
 */
function foundOfReserves(down: ReadonlySet<string>): Found[] {
  const [snapshot, min] = [latest(), BigInt(settings.get('alarms.reserve_usd')) * 100n];
  if (!snapshot) return [];
  const paidOut = new Set(currentView().directions.flatMap(({ to, isOn }) => (isOn ? to : [])));
  return [...paidOut].flatMap((code): Found[] => {
    const rail = currencyOf(code)?.rail;
    if (rail === undefined || down.has(`rail ${rail}`)) return [];
    const reserve = reserveOf(code);
    const asset = assetOf(reserve.unit);
    if (closedReason(snapshot, now(), [asset]) !== undefined || usdValue(snapshot, reserve).parts >= min) return [];
    const left = writeSum({ currency: code, ...reserve }, 'en');
    return [
      { key: `reserve ${code}`, kind: 'reserve', words: `The reserve of ${currencyName(code)} is low: ${left} can be paid out.` },
    ];
  });
}

/** Returns a finding for each empty pot, and one for coupons that wait for money or for the next day. */
async function foundOfPots(db: Statements): Promise<Found[]> {
  const waiting = await waitingLate(db);
  const empty = Object.entries(await leftInPots(db)).flatMap(([pot, left]): Found[] =>
    left === 0n ? [{ key: `pot ${pot}`, kind: 'pot', words: `The pot ${pot} is empty: ${WITHOUT[pot]}. See \`desk pot\`.` }] : [],
  );
  const noons: Found[] = (await wasEmptyAtNoons(db)) ? [{ key: 'pot earn noons', kind: 'pot', words: EMPTY_NOONS }] : [];
  if (waiting === 0) return [...empty, ...noons];
  return [
    ...empty,
    ...noons,
    {
      key: 'late coupons',
      kind: 'pot',
      words: `${waiting} coupons for late orders wait for the next day, or for money in the pot late.`,
    },
  ];
}

const EMPTY_NOONS =
  'Nothing was left to win at noon on three days in a row: the day’s sum or the pot earn is too small for the demand.';

/** Returns findings about rewards that wait for the pot or for a decision. */
async function foundOfRewards(db: Statements): Promise<Found[]> {
  const { waiting, cases } = await waitingCounts(db);
  const found = (count: number, key: string, words: string): Found[] => (count === 0 ? [] : [{ key, kind: 'pot', words }]);
  return [
    ...found(waiting, 'pot rewards', `${waiting} rewards wait for money in the pot affiliate. See \`desk pot\`.`),
    ...found(cases, 'pot cases', `${cases} rewards wait for a decision. See \`desk abuse\`.`),
  ];
}

const WITHOUT: Readonly<Record<string, string>> = {
  affiliate: 'rewards wait',
  late: 'coupons for late orders wait, and fixed ones are refused',
  earn: 'no draw begins',
};

async function foundOfDoubts(db: Statements): Promise<Found[]> {
  return (await doubtsByRail(db, DOUBT_MINUTES)).map(({ rail, payouts }) => ({
    key: `doubt ${rail}`,
    kind: 'doubt',
    words: `${payouts} of the payouts by ${rail} may or may not have been sent: see \`desk doubts\`.`,
  }));
}

/** Returns a finding for each rail with unrecorded sends. */
async function foundUnrecorded(db: Statements): Promise<Found[]> {
  const byRail = Map.groupBy(await unrecordedSends(db, { state: 'open' }), ({ rail }) => rail);
  return [...byRail].map(([rail, sends]) => {
    const [{ reference = '', currency = '', parts, receiver, payoutId } = {}] = sends;
    const unit = currencyOf(currency)?.unit;
    const sum = unit === undefined || parts === undefined ? '' : `: ${writeSum({ currency, unit, parts }, 'en')}`;
    const to = `${receiver === undefined ? '' : ` to ${receiver}`}${payoutId === undefined ? '' : `, the payout ${payoutId}`}`;
    const others = sends.length > 1 ? ` and ${sends.length - 1} more` : '';
    return {
      key: `unrecorded ${rail}`,
      kind: 'unrecorded',
      words: `A send on ${rail} is not in the books (${reference}${sum}${to}${others}): somebody else signs with these keys, or this is an older copy. Nothing is sent by ${rail} until two people have decided: see \`desk restored\`.`,
    };
  });
}

/**
 * Returns a finding for each business of which payment systems and chains took back more than 1 % of what it settled, and one while
 * web sites that members added await a decision.
 */
async function foundOfBusinesses(db: Statements): Promise<Found[]> {
  const usd = (cents: bigint): string => format(money('USD', cents));
  const sites = await countUndecidedSites(db);
  const words = `${sites} businesses have added web sites that buyers return to, and nobody has decided about them: see \`desk next\`.`;
  return [
    ...(await reversingBusinesses(db)).map(({ id, name, settledUsd, reversedUsd }): Found => {
      const reversed = `Of ${usd(settledUsd)} USD that ${name} settled in 30 days, ${usd(reversedUsd)} USD were taken back: more than 1 %.`;
      return { key: `business ${id}`, kind: 'business', words: reversed };
    }),
    ...(sites > 0 ? [{ key: 'business sites', kind: 'business', words } as const] : []),
  ];
}

/** Returns findings about money that had left before its payment was taken back: of customers in the last day, and of businesses. */
async function foundOfDebts(db: Db): Promise<Found[]> {
  const count = await countDebtsSince(db, new Date((await db.now()).getTime() - DAY_MS));
  const ofCustomers = `${count} debts of customers arose in the last day, by payments that were taken back after their money had left: see \`desk debts\`.`;
  return [
    ...(count > 0 ? [{ key: 'debts', kind: 'debt', words: ofCustomers } as const] : []),
    ...(await owingBusinesses(db)).map(({ id, name, unit, parts }): Found => {
      const words = `${name} owes ${format(money(unit, parts))} ${unit} since payments were taken back. Nothing leaves its stores.`;
      return { key: `debt ${id} ${unit}`, kind: 'debt', words };
    }),
  ];
}

/** Returns findings while orders or payments to invoices are held without an end: only people decide about them. */
async function foundOfHolds(db: Statements): Promise<Found[]> {
  const [payments, orders] = [await countHardHolds(db), await countHeldOrders(db)];
  const found = (key: string, words: string): Found => ({ key, kind: 'held', words });
  return [
    ...(payments > 0
      ? [found('held', `${payments} payments to invoices are held until a person decides: see \`desk held\`.`)]
      : []),
    ...(orders > 0 ? [found('held orders', `${orders} orders are held until a person decides: see \`desk waiting\`.`)] : []),
  ];
}

async function foundOfBooks(db: Db): Promise<Found[]> {
  const known = await differences(db);
  const old = new Date((await db.now()).getTime() - BOOKS_MINUTES * 60_000);
  return known.flatMap(({ currency, place, since, unit, parts }): Found[] => {
    if (!since || since > old) return [];
    const [much, which] = parts < 0n ? [-parts, 'less'] : [parts, 'more'];
    const amount = writeSum({ currency, unit, parts: much }, 'en');
    const rail = currencyOf(currency)?.rail ?? 'The rail';
    const words = `${rail} has ${amount} ${which} of ${currencyName(currency)} (${place}) than the books, since ${since.toISOString()}.`;
    return [{ key: `books ${currency} ${place}`, kind: 'books', words }];
  });
}

/** Returns a finding for each recurring task of the workers that is overdue. */
async function foundOverdue(db: Db): Promise<Found[]> {
  const [compared, unclosed, at] = [await comparedAt(db), await unclosedSince(db), (await db.now()).getTime()];
  const found = (what: string, words: string): Found[] => [{ key: `overdue ${what}`, kind: 'overdue', words }];
  return [
    ...(compared && at - compared.getTime() > COMPARED_MINUTES * 60_000
      ? found(
          'comparison',
          `The books were last compared with the payment systems at ${compared.toISOString()}: missing money goes unseen.`,
        )
      : []),
    ...(unclosed && at - unclosed.getTime() > CLOSED_HOURS * 3_600_000
      ? found('close', `The books of the day that ended at ${unclosed.toISOString()} are not closed.`)
      : []),
  ];
}

/** Returns a finding if the disk of a folder has less free space than the setting demands. */
export async function foundOfDisk(folder: string): Promise<Found[]> {
  const { blocks, bavail, bsize } = await statfs(folder);
  const percent = Math.floor((bavail * 100) / blocks);
  if (percent >= settings.get('alarms.disk_percent')) return [];
  const free = Math.floor((bavail * bsize) / 1_000_000);
  return [{ key: 'disk', kind: 'disk', words: `The disk of ${folder} is nearly full: ${free} MB (${percent} %) are free.` }];
}

/** Returns a finding if the certificate of an https address ends soon, has ended, or can't be read. */
export async function foundOfCertificate(url: string, at: Date): Promise<Found[]> {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'https:') return [];
  const found = (words: string): Found[] => [{ key: 'certificate', kind: 'certificate', words }];
  const shown = await certificateOf(hostname, port === '' ? 443 : Number.parseInt(port, 10));
  if (!shown.ends) return found(`Nobody trusts the certificate of ${hostname}, or there is none: ${shown.why}.`);
  const days = Math.floor((shown.ends.getTime() - at.getTime()) / DAY_MS);
  if (days >= settings.get('alarms.certificate_days')) return [];
  return found(`The certificate of ${hostname} ends on ${shown.ends.toISOString().slice(0, 10)}, in ${days} days.`);
}

type RailDetails = { readonly ends?: Date; readonly why?: string };

/** Returns when a host's certificate ends, or why browsers would refuse it. */
function certificateOf(host: string, port: number): Promise<RailDetails> {
  const { promise, resolve } = Promise.withResolvers<RailDetails>();
  const socket = connect({ host, port, timeout: TLS_MS, ...(isIP(host) === 0 && { servername: host }) }, () => {
    resolve({ ends: new Date(socket.getPeerCertificate().valid_to) });
    socket.end();
  });
  socket.on('error', (error: NodeJS.ErrnoException) => resolve({ why: error.code ?? error.message }));
  socket.on('timeout', () => {
    resolve({ why: 'no answer' });
    socket.destroy();
  });
  return promise;
}
