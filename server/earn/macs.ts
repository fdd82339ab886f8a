// MACs of the rows behind prizes. If SQL changed a row, it gives nothing, and the proof accuses it.

import { type Statements, bare, isMac, macOf, steady } from '../platform/index.ts';
import type { Draw } from './draw.ts';

/** A draw, with what it takes of a day's bounds. */
type Counted = Omit<Draw, 'customer' | 'device' | 'network'> & { readonly counts: bigint };

const drawContent = (one: Counted): string => {
  const { id, holderId, hour, seed, table, max, state, clientSeed, prize, begunAt, endsAt, counts } = one;
  const own = [id, holderId, hour, seed.toString('hex'), table, max, state, clientSeed, prize, begunAt, endsAt, counts];
  return steady(own);
};
const whenceContent = ({ id, customer, device, network }: Pick<Draw, 'id' | 'customer' | 'device' | 'network'>): string =>
  steady([id, 'whence', customer, device, network]);

export const macOfDraw = (draw: Counted): string => macOf('draw', drawContent(draw));
export const isDraw = (draw: Counted, mac: string | null): boolean => isMac('draw', drawContent(draw), mac);
export const macOfWhence = (draw: Draw): string => macOf('draw', whenceContent(draw));
export const isWhence = (draw: Draw, mac: string | null): boolean => isMac('draw', whenceContent(draw), mac);

/** A task that was paid. */
export interface PaidTask {
  readonly id: string;
  readonly holderId: string;
  readonly customer: string;
  readonly task: string;
  readonly parts: bigint;
  readonly at: Date;
}

const taskContent = ({ id, holderId, customer, task, parts, at }: PaidTask): string =>
  steady([id, holderId, customer, task, parts, at]);
export const macOfTask = (task: PaidTask): string => macOf('task', taskContent(task));

/** A use of a holder's prizes. */
export interface WentOn {
  readonly id: string;
  readonly holderId: string;
  readonly way: string;
  readonly parts: bigint;
  readonly at: Date;
}

const outContent = ({ id, holderId, way, parts, at }: WentOn): string => steady([id, holderId, way, parts, at]);
export const macOfOut = (out: WentOn): string => macOf('earn out', outContent(out));

interface Row {
  readonly mac: string | null;
  readonly parts: string;
}

/** Ids of tasks that were paid, and of prizes that went on, whose rows were changed by SQL. With `among`: of these alone. */
export async function alteredSums(db: Statements, among: readonly string[] | undefined): Promise<string[]> {
  const some = among ? 'where id = any ($1::uuid[])' : '';
  const tasks = await db.rows<Omit<PaidTask, 'parts'> & Row>(
    `select id, holder_id as "holderId", customer, task, parts, at, mac from earn_task ${some}`,
    among && [among],
  );
  const outs = await db.rows<Omit<WentOn, 'parts'> & Row>(
    `select id, holder_id as "holderId", way, parts, at, mac from earn_out ${some}`,
    among && [among],
  );
  return [
    ...tasks.filter(({ mac, ...row }) => !isMac('task', taskContent({ ...row, parts: BigInt(row.parts) }), bare(mac))),
    ...outs.filter(({ mac, ...row }) => !isMac('earn out', outContent({ ...row, parts: BigInt(row.parts) }), bare(mac))),
  ].map(({ id }) => id);
}
