// Sample links of stores, for tests of pages and for screenshots.

import type { Output, RouteName, Routes } from '@kurs/contract';
import { CallError } from '@kurs/contract/client';
import { soon } from '../status.ts';

type PayLink = Output<Routes['paymentLink']>;
type StoreLink = Output<Routes['storeLinks']>[number];

const idOf = (number: number): string => `0199a7d2-7a3e-4c10-9f00-${String(number).padStart(12, '0')}`;
const STORE = { name: 'Ann’s lessons', colour: '#7a2e4d' };
const PAID = '0199a7d2-7a3e-7c10-9f00-000000001000';

const SCENES = {
  fixed: { title: 'English lesson, one hour', amount: '25.00' },
  any: { title: 'A gift for the theatre of the school', least: '1.00', most: '500.00' },
  off: { title: 'English lesson, one hour', amount: '25.00', closed: 'off' },
  used_up: { title: 'Ticket for the concert on May 9', amount: '12.00', closed: 'used_up' },
  test: { title: 'English lesson, one hour', amount: '25.00', test: true },
} as const satisfies Readonly<Record<string, Partial<PayLink>>>;

export type LinkScene = keyof typeof SCENES;
export const LINK_SCENES = Object.keys(SCENES) as readonly LinkScene[];

/** Returns the id of a scene's link. */
export const linkId = (name: LinkScene): string => idOf(2000 + LINK_SCENES.indexOf(name));

const linkIn = (name: LinkScene): PayLink => ({ id: linkId(name), currency: 'USDT', store: STORE, test: false, ...SCENES[name] });

/** Answers of the calls of buyers about the links of the scenes. */
export function linkAnswers(): { readonly [N in RouteName]?: (input: never) => unknown } {
  return {
    paymentLink: ({ id }: { id: string }): PayLink => {
      const name = LINK_SCENES.find((one) => linkId(one) === id);
      if (!name) throw new CallError(404, { code: 'link_unknown', message: 'There is no such payment link.' });
      return linkIn(name);
    },
    paymentLinkPay: (): Output<Routes['paymentLinkPay']> => ({ id: PAID, number: 'KI-7F3Q-2M8C' }),
  };
}

/** Returns the links of a sample store as its members see them. */
export const storeLinksOf = (now: Date): StoreLink[] => [
  {
    ...{ id: linkId('fixed'), title: 'English lesson, one hour', currency: 'USDT', amount: '25.00' },
    ...{ url: `https://kurs.test/En/pay/link/${linkId('fixed')}`, max_uses: 20, uses: 7, uses_held: 1, on: true },
    created_at: soon(now, -86_400),
  },
  {
    ...{ id: linkId('any'), title: 'A gift for the theatre of the school', currency: 'USDT', least: '1.00', most: '500.00' },
    ...{ url: `https://kurs.test/En/pay/link/${linkId('any')}`, uses: 0, uses_held: 0, on: false },
    created_at: soon(now, -172_800),
  },
];
