import { money } from '@kurs/money';
import { type OutboxEvent, type Tx, outbox, log, newId } from '../../platform/index.ts';
import type { Opened, Payin, Rail } from '../../rails/rail.ts';
import { type PaymentsDeps, within } from '../rails/deps.ts';
import { WAY_EVENT, type WayBody } from '../rails/event-bodies.ts';
import { type Owner, subjectOf } from '../rails/owner.ts';
import { isUp, noteFailure } from '../rails/rail-state.ts';
import { currencyOf } from '../rails/registry.ts';
import { type DueRequest, claimRequests, saveOpened } from './request-store.ts';

const GROUP = 32;
/**
 * Seconds after which another process may prepare the same payment again. The provider then recognises the repeated reference.
 */
const CLAIM_SECONDS = 30;
const LONGEST_PAUSE_SECONDS = 60;

/**
 * Has a rail's provider prepare the payments that customers wait to make. Notifies the payments' owners how each payment is made.
 * Returns the number of payments tried. No money moves. A failed preparation is tried again under the same reference until nobody
 * waits for the payment any more.
 */
export async function prepareRail(deps: PaymentsDeps, rail: Rail): Promise<number> {
  const { payin } = rail;
  if (!payin?.open) return 0;
  const due = await claimRequests(deps.db, rail.id, GROUP, CLAIM_SECONDS);
  if (due.length === 0) return 0;
  const up = await isUp(deps.db, rail.id);
  await Promise.all(due.map((request) => prepare(deps, rail, payin, request, up)));
  return due.length;
}

async function prepare(deps: PaymentsDeps, rail: Rail, payin: Payin, request: DueRequest, isRailUp: boolean): Promise<void> {
  const opened = isRailUp ? await open(deps, rail, payin, request) : NOT_UP;
  if (!opened.ok) log.warn('a payment could not be prepared', { rail: rail.id, place: request.number, detail: opened.detail });
  await outbox.tx(deps.db, async (tx) => {
    const pause = Math.min(LONGEST_PAUSE_SECONDS, 2 ** Math.min(request.tries, 9));
    const isNews = await saveOpened(tx, rail.id, request.number, opened, pause);
    if (!isNews) return;
    if (opened.ok) await reportWays(tx, [{ owner: request.owner, event: 'ready', way: opened.way }]);
    else if (opened.reason === 'refused') await reportWays(tx, [{ owner: request.owner, event: 'refused' }]);
  });
}

const NOT_UP: Opened = { ok: false, reason: 'unavailable', detail: 'the provider does not answer' };

async function open(deps: PaymentsDeps, rail: Rail, payin: Payin, request: DueRequest): Promise<Opened> {
  const { currency, to, amount, label, back, locale, until, payer } = request;
  const unit = currencyOf(currency)?.unit;
  if (unit === undefined) return NOT_UP;
  try {
    const request = { currency, to, amount: money(unit, amount), label, back, locale, until, payer };
    return await within(deps.callMs, `${rail.id} open`, async () => (await payin.open?.(request)) ?? NOT_UP);
  } catch (error) {
    await noteFailure(deps, rail, error);
    return { ok: false, reason: 'unavailable', detail: error instanceof Error ? error.message : String(error) };
  }
}

/** Publishes to owners how their payments are made, or whether their customers' vouchers were accepted. */
export async function reportWays(tx: Tx, bodies: readonly (WayBody & { readonly owner: Owner })[]): Promise<void> {
  await outbox.publish(
    tx,
    bodies.map((body): OutboxEvent => ({ id: newId(), kind: WAY_EVENT, subject: subjectOf(body.owner), body })),
  );
}
