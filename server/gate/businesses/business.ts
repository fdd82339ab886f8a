// The business, and its states as a table.

import type { Input, Output, Routes } from '@kurs/contract';
import type { Machine, MachineRow } from '../../platform/index.ts';
import type { ReversibleTerms } from './reversible.ts';

export type BusinessState = Output<Routes['businessApply']>['state'];
/** Actions of the desk on a business. */
export type BusinessAction = Input<Routes['operatorBusinessDecide']>['action'];

/** Content of an application, as its form gave it. */
export type Application = Input<Routes['businessApply']>;

export interface Business extends Application {
  readonly id: string;
  /** Id of the account of the business's owner. */
  readonly holderId: string;
  readonly state: BusinessState;
  /** Time at which the business came into this state. */
  readonly stateAt: Date;
  /** Words of the desk that the owner reads. */
  readonly note: string;
  /** Maximum of settled sums in 24 hours, in cents; undefined if the general limit holds. */
  readonly dayUsd: bigint | undefined;
  /** Terms of methods whose payments can be taken back for months. */
  readonly reversible: ReversibleTerms;
  readonly createdAt: Date;
  /** True if the row was changed outside the product. Such a business counts as suspended. */
  readonly isAltered: boolean;
}

/** For each action, the states in which it is open, the next state, and the number of people that it takes. */
export const DECISIONS: Readonly<
  Record<BusinessAction, { readonly from: readonly BusinessState[]; readonly to: BusinessState; readonly people: 1 | 2 }>
> = {
  approve: { from: ['applied'], to: 'approved', people: 2 },
  refuse: { from: ['applied'], to: 'refused', people: 1 },
  suspend: { from: ['approved'], to: 'suspended', people: 1 },
  resume: { from: ['suspended'], to: 'approved', people: 2 },
  close: { from: ['approved', 'suspended'], to: 'closed', people: 1 },
};

/** States of a business that its owner's account can't leave behind, and of which an account has one. */
export const OPEN: readonly BusinessState[] = ['applied', 'approved', 'suspended'];
/** Verification level that the owner needs when a business is approved. */
export const OWNER_LEVEL = 2;

/** State by which others treat a business: an altered one counts as suspended. */
export const countedState = ({ state, isAltered }: Pick<Business, 'state' | 'isAltered'>): BusinessState =>
  isAltered ? 'suspended' : state;

/** The machine of businesses, for its diagram. */
export const BUSINESS_MACHINE: Machine<BusinessState, BusinessAction, MachineRow<BusinessState, BusinessAction>> = {
  name: 'business',
  file: 'server/gate/businesses/business.ts',
  begins: [{ state: 'applied', event: 'apply' }],
  states: {
    applied: 'none: the desk decides about the application',
    approved: 'with its stores; it moves',
    refused: 'none: the owner may apply again',
    suspended: 'with its stores; it comes in by invoices that exist, and none leaves',
    closed: 'none: the owner may apply again',
  },
  rests: new Set(['approved', 'refused', 'suspended', 'closed'] as const),
  actors: { O: 'the desk' },
  rows: (Object.keys(DECISIONS) as BusinessAction[]).map((event) => {
    const { from, to, people } = DECISIONS[event];
    const when = people === 2 ? { when: `two people, evidence, and an owner of level ${OWNER_LEVEL}` } : {};
    return { from, event, who: 'O', next: [to], money: [], ...when };
  }),
};
