// Event stream of a refund's page: reports each change of the refund, and each claim whose transaction became known.

import type { Output, Routes } from '@kurs/contract';
import type { OwnerKey, StreamDeps } from '../../../collecting/index.ts';
import {
  type Db,
  type EventStream,
  type Followed,
  type Statements,
  type VersionWatch,
  watchVersions,
} from '../../../platform/index.ts';
import { publishChanges } from '../../wire/publish-changes.ts';
import type { Refund } from '../machine/refund.ts';
import { refundBySecret } from '../refund-secret.ts';
import { claimsOf } from '../rows/claim-rows.ts';
import { readRefund } from '../rows/refund-rows.ts';

type Status = Output<Routes['refundStatus']>;

/** Interval of polling, in ms. Changes are notified at once; the poll finds changes whose notification was missed. */
const POLL_MS = 1_000;
/** Step of `changesOf` for each version: more than the claims of a refund. */
const A_CHANGE = 10_000;

/** Watches refunds for changes: one query serves all listeners of the process. */
export const watchRefunds = (db: Db): VersionWatch =>
  watchVersions(POLL_MS, 'gate.refund_watch', (ids) => versionsOf(db, ids), ['owners']);

async function versionsOf(db: Statements, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.rows<{ id: string; version: number; sent: number }>(
    `select r.id, r.version::float8 as version,
       (select count(*)::float8 from store_refund_claim c where c.refund_id = r.id and c.txid is not null) as sent
     from store_refund r where r.id = any ($1::uuid[])`,
    [ids],
    { name: 'gate.refund_versions' },
  );
  return new Map(rows.map(({ id, version, sent }) => [id, changesOf({ version, sent })]));
}

const changesOf = ({ version, sent }: Pick<Status, 'version' | 'sent'>): number =>
  version * A_CHANGE + Math.min(sent, A_CHANGE - 1);

/** Returns a refund's state and version, and the number of its claims that have a transaction. */
export async function statusOfRefund(db: Statements, { id, state, version }: Refund): Promise<Status> {
  const claims = await claimsOf(db, [id]);
  return { state, version, sent: claims.filter(({ txid }) => txid !== undefined).length };
}

/** Returns the function that opens the stream of a refund by its secret. */
export function openRefundStream(deps: StreamDeps): (key: OwnerKey) => Promise<Followed> {
  return async (key) => {
    const refund = await refundBySecret(deps.db, deps.sender.tokens, key);
    return { of: `refund ${refund.id}`, report: (stream) => publish(deps, refund, stream) };
  };
}

async function publish({ db, watch }: StreamDeps, refund: Refund, stream: EventStream): Promise<void> {
  const { id } = refund;
  const begun = await statusOfRefund(db, refund);
  const read = async (): Promise<Status> => statusOfRefund(db, await readRefund(db, id));
  await publishChanges(stream, watch, { id, event: 'refund', begun, seen: changesOf(begun), read, markOf });
}

const markOf = ({ version, sent }: Status): string => `${version}+${sent}`;
