import type { ReactNode } from 'react';
import { Pill } from '../../../../../../ui/parts/pill.tsx';
import { CLAIM_LOOKS, type ClaimStatus, REFUND_LOOKS, type RefundState } from './refund-words.ts';

/** Shows the state of a refund. */
export function RefundPill({ state }: { state: RefundState }): ReactNode {
  const { tone, icon, word } = REFUND_LOOKS[state];
  return (
    <Pill tone={tone} icon={icon}>
      {word()}
    </Pill>
  );
}

/** Shows the status of a claim. */
export function ClaimPill({ status }: { status: ClaimStatus }): ReactNode {
  const { tone, icon, word } = CLAIM_LOOKS[status];
  return (
    <Pill tone={tone} icon={icon}>
      {word()}
    </Pill>
  );
}
