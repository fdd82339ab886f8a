import { defineCodePurpose } from '../auth/index.ts';
import { openNames } from '../platform/index.ts';

/** The kinds of money out, which kinds of owners register. */
export const outKinds = openNames('kind of money out');

/** Defines a kind of money out. Only the registration of owners calls it. */
export const defineOutKind = outKinds.define;

/** What a mailed code, or a second factor, confirms of money that goes out. */
export const MONEY_OUT = defineCodePurpose('money_out');
