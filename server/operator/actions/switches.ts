import { type Db, settingNow } from '../../platform/index.ts';
import { payoutsSetting, requireRail, switchPayouts, requireSwitch, switchRail, wasOn } from '../../payments/index.ts';
import { directionOf, saveFeedCode, switchDirection } from '../../pricing/index.ts';
import type { Person } from '../people/roles.ts';
import { type Acted, actAs } from '../people/two-people.ts';

/**
 * Switches a direction on or off. Throws `direction_unknown`, and the errors of `switchDirection` if customers could gain by a
 * cycle of exchanges.
 */
export async function setDirection(
  db: Db,
  person: Person,
  input: { from: string; to: string; open: boolean; reason: string },
): Promise<void> {
  const { slug } = directionOf(input.from, input.to);
  const action = input.open ? 'direction_on' : 'direction_off';
  const wanted = {
    action,
    subject: slug,
    reason: input.reason,
    permission: 'directions.switch',
    people: 1,
    body: {},
  } as const;
  await db.tx((tx) => actAs(tx, person, wanted, () => switchDirection(tx, slug, input.open, person.name)));
}

/** Sets the code by which exchange monitors know a currency. Throws the errors of `saveFeedCode`. */
export async function setFeedCode(
  db: Db,
  person: Person,
  { currency, code, reason }: { currency: string; code: string | null; reason: string },
): Promise<void> {
  const wanted = {
    action: 'feed_code',
    subject: currency,
    reason,
    permission: 'feed.change',
    people: 1,
    body: { code },
  } as const;
  await db.tx((tx) => actAs(tx, person, wanted, () => saveFeedCode(tx, currency, code)));
}

/**
 * Switches a rail's payouts, or all payouts, off (one operator) or on (two operators). Returns the state of the switch
 * afterwards. Throws `not_found` for an unknown rail.
 */
export async function setPayouts(
  db: Db,
  person: Person,
  input: { rail?: string | undefined; on: boolean; reason: string },
  key?: string,
): Promise<Acted & { readonly on: boolean }> {
  const action = input.on ? 'payouts_on' : 'payouts_off';
  const people = input.on ? 2 : 1;
  const check = () => requireRail(input.rail);
  const said = {
    action,
    subject: input.rail ?? 'all',
    reason: input.reason,
    permission: 'payouts.switch',
    people,
    body: {},
  } as const;
  const acted = await db.tx(async (tx) => {
    // A request is bound to the version of the payouts' setting, so that a later stop voids the request.
    const { version } = await settingNow(tx, payoutsSetting(input.rail));
    const wanted = { ...said, about: `version ${version}`, key, check };
    return actAs(tx, person, wanted, (by) => switchPayouts(tx, { rail: input.rail, isOn: input.on }, by.join(', ')));
  });
  return { ...acted, on: acted.status === 'done' && input.on };
}

/**
 * Switches a rail on or off for new payments: of the purpose `for`, or of all purposes. With real money, switching it on for the
 * first time takes two people. Throws `validation` for a rail that isn't set up and for an unknown purpose.
 */
export async function setRail(
  db: Db,
  person: Person,
  { rail, on, for: purpose, reason }: { rail: string; on: boolean; for?: string | undefined; reason: string },
  key?: string,
): Promise<Acted & { readonly on: boolean }> {
  const action = on ? 'rail_on' : 'rail_off';
  const body = purpose === undefined ? {} : { for: purpose };
  const change = { rail, isOn: on, purpose };
  const acted = await db.tx(async (tx) => {
    const people = on && !(await wasOn(tx, rail)) ? 2 : 1;
    const check = (): void => requireSwitch(change);
    const wanted = { action, subject: rail, reason, permission: 'rails.switch', people, body, check, key } as const;
    return actAs(tx, person, wanted, (by) => switchRail(tx, change, by.join(', ')));
  });
  return { ...acted, on: acted.status === 'done' && on };
}
