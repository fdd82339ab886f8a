import type { CouponFieldProps } from './coupon-field.tsx';
import { makeLazyPart } from '../lazy-part.ts';

let open: () => void;
const opened = new Promise<void>((resolve) => (open = resolve));

/**
 * Starts loading the coupon field's script once the box around it is open. Until then the browser leaves the server's HTML
 * unchanged.
 */
export const noteCoupon = (box: HTMLDetailsElement | null): void => void (box?.open && open());

const lazy = makeLazyPart<CouponFieldProps>(() => opened.then(async () => (await import('./coupon-field.tsx')).CouponField));

/** Context provider by which the server renders the coupon field. */
export const LazyCouponProvider = lazy.Provider;

/** Coupon field, whose script is loaded when its box is opened. Text that was typed before that is not lost. */
export const LazyCoupon = lazy.Part;
