// The invitation to a store. The holder of its address may accept it: no link and no code opens it.

import type { Input, Routes } from '@kurs/contract';

export interface Invitation {
  readonly id: string;
  readonly storeId: string;
  /** E-mail address, as typed. */
  readonly email: string;
  /** Key of the address (`emailKey`). */
  readonly emailKey: string;
  readonly role: Input<Routes['storeInvite']>['role'];
  /** Id of the member who invited. */
  readonly invitedBy: string;
  readonly invitedAt: Date;
  readonly expiresAt: Date;
  /** Time at which it was accepted, declined, withdrawn or replaced. */
  readonly endedAt: Date | undefined;
}

/** Days for which an invitation is open. */
export const OPEN_DAYS = 7;
/** Maximum number of open invitations of a store. */
export const MAX_OPEN = 50;

/** True if the invitation can be accepted or declined now. */
export const isOpen = ({ endedAt, expiresAt }: Invitation, now: Date): boolean => endedAt === undefined && expiresAt > now;
