import type { Output, Routes } from '@kurs/contract';

type Refund = Pick<Output<Routes['refundPage']>, 'version' | 'claims'>;
type Status = Pick<Output<Routes['refundStatus']>, 'version' | 'sent'>;

/** Returns the id of the stream event for a state of a refund. */
export const refundMark = ({ version, sent }: Status): string => `${version}+${sent}`;

/** Returns the id of the stream event for the state of the refund that a page shows. */
export const markOfPage = ({ version, claims }: Refund): string =>
  refundMark({ version, sent: claims.filter(({ txid }) => txid !== undefined).length });

/** True while a claim waits for people, or its money is on its way. */
export const isUnderWay = ({ claims }: Pick<Refund, 'claims'>): boolean =>
  claims.some(({ status }) => status === 'confirming' || status === 'approving' || status === 'paying');

/** True if the last claim should have gone back to the payment and did not: its receiver has nothing to claim. */
export function isUndone({ claims }: Pick<Refund, 'claims'>): boolean {
  const last = claims.at(-1);
  return last?.to_payment === true && (last.status === 'failed' || last.status === 'returned' || last.status === 'refused');
}
