import { defineCodePurpose } from '../auth/index.ts';
import { openNames } from '../platform/index.ts';

/** The kinds of money out, which kinds of owners register. */
export const outKinds = openNames('kind of money out');

/** Defines a kind of money out. Only the registration of owners calls it. */
export const defineOutKind = outKinds.define;

/** Purpose of mailed codes and second factors that confirm outgoing money. */
export const MONEY_OUT = defineCodePurpose('money_out');
