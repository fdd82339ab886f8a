import { defineCodePurpose } from '../auth/index.ts';
import { openNames } from '../platform/index.ts';

/** Kinds of money out, as the kinds of owners have registered them. */
export const outKinds = openNames('kind of money out');

/** Registers a kind of money out. Only the registration of owners calls this. */
export const defineOutKind = outKinds.define;

/** Purpose of mailed codes and second factors that confirm outgoing money. */
export const MONEY_OUT = defineCodePurpose('money_out');
